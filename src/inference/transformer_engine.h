// A Transformer as an engine of search, without libtorch: for translation on a processor.
//
// Own code because an engine of translation does little else than products of few rows, between which
// every allocation, every pass over memory and every copy of what a hypothesis keeps is time:
//   - weights are packed once (kernels/packed_matrix.h), projections of one input are one product;
//   - tokens of sentences of any length are encoded side by side without padding;
//   - keys and values of the past lie where they were written, once a token; a hypothesis is the list of
//     these slots, so that to reorder a beam copies numbers of slots only;
//   - keys and values of the source lie once a sentence, however many hypotheses attend to them.
// The tests hold it equal to Seq2Seq, of whose parameters it is made.
#pragma once

#include <memory>

#include "inference/transformer_shape.h"
#include "inference/weights.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

struct TransformerLayers;

class TransformerEngine final : public Engine {
 public:
  // weights: under the names of Seq2Seq::named_parameters(). `set`: of the kernels.
  TransformerEngine(const TransformerShape& shape, const Weights& weights, Precision precision,
                    const Kernels& set = kernels());
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::shared_ptr<const TransformerLayers> layers_;
};

}  // namespace heed
