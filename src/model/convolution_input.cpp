#include "model/convolution_input.h"

#include "nn/torch.h"

namespace heed {

ConvolutionInput::ConvolutionInput(const ConvolutionSettings& settings, int64_t input)
    : dropout_(settings.dropout) {
  positions_ = register_module("positions", build(*settings.positions, input));
}

Tensor ConvolutionInput::forward(const Tensor& x, const Tensor& positions, const Pass& pass) {
  return dropout(positions_->add_to(x, positions), dropout_, pass);
}

}  // namespace heed
