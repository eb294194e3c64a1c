#include "inference/transformer_input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

InputLayer::InputLayer(const StackShape& shape, int64_t embedding_width, const std::string& stack,
                       const Packer& packer)
    : width_(shape.width),
      positions_(shape.positions, width_, names::TransformerStackNames(stack).positions, packer) {
  const names::TransformerStackNames name(stack);
  if (shape.scale_embedding)
    scale_ = static_cast<float>(std::sqrt(static_cast<double>(embedding_width)));
  if (embedding_width != width_) to_width_ = packer.linear({name.to_width});
  if (shape.embedding_norm) norm_ = {name.embedding_norm, shape.norm_type, packer};
}

void InputLayer::read(AlignedFloats& embedded, const std::vector<int64_t>& positions,
                      AlignedFloats& to, const Kernels& set) const {
  const auto rows = std::ssize(positions);
  if (scale_ != 1) std::ranges::for_each(embedded, [this](float& value) { value *= scale_; });
  if (to_width_.outputs() > 0) {
    to.resize(static_cast<size_t>(rows * width_));
    to_width_.product(embedded.data(), rows, to.data());
  } else {
    std::swap(embedded, to);
  }
  positions_.add_to(to.data(), positions);
  norm_(to.data(), rows, to.data(), set);
}

}  // namespace heed
