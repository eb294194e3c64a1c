// An encoder and a decoder of recurrent cells as an engine of search on a CPU, without libtorch.
//
// Own code for the reasons of transformer_engine.h. Here:
//   - weights are packed once (kernels/packed_matrix.h), and the inputs of an encoder's cells are
//     multiplied at once for all time steps;
//   - sentences of different lengths are encoded together without padding;
//   - keys and values of the source are stored once per sentence and shared by its hypotheses, of
//     which only the states of the cells are reordered.
// The tests compare it with Seq2Seq.
#pragma once

#include <memory>

#include "inference/packer.h"
#include "inference/recurrent_shape.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

struct RecurrentLayers;

class RecurrentEngine final : public Engine {
 public:
  // weights: named as in Seq2Seq::named_parameters(). set: table of kernels.
  RecurrentEngine(const RecurrentShape& shape, const Packer& packer,
                  const Kernels& set = kernels());
  DecodingBytes bytes() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::shared_ptr<const RecurrentLayers> layers_;
};

}  // namespace heed
