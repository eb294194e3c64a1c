// A model without a decoder (model/decoders/none.cpp) as an engine of search on a CPU, without libtorch:
// its output reads the last states of the encoders. The tests compare it with Seq2Seq.
#pragma once

#include <memory>

#include "inference/last_state_shape.h"
#include "inference/packer.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

struct LastStateLayers;

class LastStateEngine final : public Engine {
 public:
  // weights: named as in Seq2Seq::named_parameters(). set: table of kernels.
  LastStateEngine(const LastStateShape& shape, const Packer& packer,
                  const Kernels& set = kernels());
  DecodingBytes bytes() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::shared_ptr<const LastStateLayers> layers_;
};

}  // namespace heed
