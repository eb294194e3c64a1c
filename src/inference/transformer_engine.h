// A Transformer as an engine of search on a CPU, without libtorch.
//
// Own code because a beam search step consists of products of few rows, so that allocations, passes
// over memory and copies of hypothesis states dominate in a general library. Here:
//   - weights are packed once (kernels/packed_matrix.h), and projections of the same input are one
//     product;
//   - sentences of different lengths are encoded together without padding;
//   - keys and values of the target are written once per token; a hypothesis is a list of their
//     slots, so reordering a beam copies slot numbers only;
//   - keys and values of the source are stored once per sentence and shared by its hypotheses;
//   - layers without attention to the target carry a vector of each hypothesis instead.
// The tests compare it with Seq2Seq.
#pragma once

#include <algorithm>
#include <memory>

#include "inference/packer.h"
#include "inference/transformer_shape.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

class TransformerLayers;

class TransformerEngine final : public Engine {
 public:
  // weights: named as in Seq2Seq::named_parameters(). set: table of kernels.
  TransformerEngine(const TransformerShape& shape, const Packer& packer,
                    const Kernels& set = kernels());
  // Rows enough for the products; more would add keys and values, which no longer fit a cache.
  int64_t best_batch(int64_t hypotheses) const override {
    return std::max<int64_t>(16, kBatch / hypotheses);
  }
  DecodingBytes bytes() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::shared_ptr<const TransformerLayers> layers_;
};

}  // namespace heed
