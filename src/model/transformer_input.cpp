#include "model/transformer_input.h"

#include <cmath>

#include "nn/torch.h"

#include "model/parameter_names_spec.h"

namespace heed {

TransformerInput::TransformerInput(const TransformerSettings& settings, int64_t input)
    : scale_(settings.scale_embedding ? std::sqrt(static_cast<double>(input)) : 1),
      dropout_(settings.dropout) {
  using Names = names::TransformerStackNames;
  if (input != settings.width)
    to_width_ = Linear(*this, Names::kToWidth, input, settings.width, kNoBias);
  positions_ = register_module(Names::kPositions, build(*settings.positions, settings.width));
  if (settings.embedding_norm)
    norm_ = register_module(Names::kNorm, build(settings.norm_type, settings.width));
}

Tensor TransformerInput::forward(const Tensor& x, const Tensor& positions, const Pass& pass) {
  const Tensor scaled = scale_ == 1 ? x : x * scale_;
  const Tensor placed = positions_->add_to(to_width_ ? to_width_(scaled) : scaled, positions);
  return dropout(norm_ ? (*norm_)(placed) : placed, dropout_, pass);  // [R,T,W]
}

}  // namespace heed
