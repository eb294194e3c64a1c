// A model with a convolutional decoder as an engine of search on a CPU, without libtorch. A hypothesis
// has the last inputs of each convolution; the rest is as in recurrent_engine.h. The tests compare it
// with Seq2Seq.
#pragma once

#include <memory>

#include "inference/convolution_shape.h"
#include "inference/packer.h"
#include "kernels/kernels.h"
#include "search/engine.h"

namespace heed {

struct ConvolutionLayers;

class ConvolutionEngine final : public Engine {
 public:
  // weights: named as in Seq2Seq::named_parameters(). set: table of kernels.
  ConvolutionEngine(const ConvolutionShape& shape, const Packer& packer,
                    const Kernels& set = kernels());
  DecodingBytes bytes() const override;
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override;

 private:
  std::shared_ptr<const ConvolutionLayers> layers_;
};

}  // namespace heed
