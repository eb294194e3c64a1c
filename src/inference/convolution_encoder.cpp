#include "inference/convolution_encoder.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

ConvolutionEncoder::ConvolutionEncoder(const ConvolutionEncoderShape& shape,
                                       const std::string& name, const Packer& packer,
                                       const Kernels& set)
    : shape_(shape),
      set_(set),
      positions_(shape.stack.positions, shape.width, names::ConvolutionStackNames(name).positions,
                 packer),
      to_width_(packer.layer(names::ConvolutionStackNames(name).to_width, shape.stack.weight_norm)),
      to_embedding_(
          packer.layer(names::ConvolutionStackNames(name).to_embedding, shape.stack.weight_norm)) {
  for (int64_t i = 0; i < shape.stack.layers; ++i)
    layers_.emplace_back(names::layer(name, i), packer, set);
}

Encoded ConvolutionEncoder::encode(const SourceTokens& tokens, AlignedFloats embedded) const {
  const std::vector<int64_t>& begins = tokens.begins;
  const int64_t count = begins.back(), width = shape_.stack.width;
  positions_.add_to(embedded.data(), source_positions(begins));
  AlignedFloats x(static_cast<size_t>(count * width)), y(x.size());
  to_width_.product(embedded.data(), count, x.data());
  ConvolutionStep::Workspace room;
  for (const ConvolutionStep& layer : layers_) {
    make_windows(begins, x, room.windows);
    layer.apply(count, room, y.data());
    add_residual(y.data(), count * width, x.data());
  }
  Encoded encoded{.last = {}, .states = AlignedFloats(embedded.size())};
  to_embedding_.product(x.data(), count, encoded.states.data());
  encoded.last.push_back(mean_state(begins, encoded.states, shape_.width, set_));
  set_.add(encoded.states.data(), std::ssize(embedded), embedded.data());
  encoded.values = std::move(embedded);
  return encoded;
}

void ConvolutionEncoder::make_windows(const std::vector<int64_t>& begins, const AlignedFloats& x,
                                      AlignedFloats& windows) const {
  const auto& [layers, width, kernel, weight_norm, positions] = shape_.stack;
  windows.resize(x.size() * static_cast<size_t>(kernel));
  std::vector<const float*> rows(static_cast<size_t>(kernel));
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    for (int64_t t = begins[i]; t < begins[i + 1]; ++t) {
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t token = t + k - kernel / 2;
        const bool is_inside = token >= begins[i] && token < begins[i + 1];
        rows[k] = is_inside ? x.data() + token * width : nullptr;
      }
      copy_window(rows, width, windows.data() + t * width * kernel);
    }
  }
}

}  // namespace heed
