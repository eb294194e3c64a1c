#include "inference/transformer_input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// sin(p / 10000^(2i/W)) at even, cos at odd numbers (Vaswani et al. 2017, section 3.5), or first
// all of sin, then all of cos; kFairseq and kOpennmtTf as in nn/positions.h.
void sinusoid(int64_t position, int64_t width, SinusoidLayout layout, float* to) {
  if (layout == SinusoidLayout::kFairseq && width % 2 != 0) to[--width] = 0;
  const int64_t sines = (width + 1) / 2;
  const int64_t first = layout == SinusoidLayout::kFairseq     ? 2
                        : layout == SinusoidLayout::kOpennmtTf ? 1
                                                               : 0,
                period = first > 0 ? std::max<int64_t>(1, width - 2) : width;
  for (int64_t i = 0; i < width; ++i) {
    const double rate = std::exp(static_cast<double>(i / 2 * 2) *
                                 (-std::log(10000.0) / static_cast<double>(period)));
    const double angle = static_cast<double>(position + first) * rate;
    const int64_t at = layout == SinusoidLayout::kInterleaved ? i
                       : i % 2 == 0                           ? i / 2
                                                              : sines + i / 2;
    to[at] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

}  // namespace

InputLayer::InputLayer(const StackShape& shape, int64_t embedding_width, const std::string& stack,
                       const Packer& packer)
    : width_(shape.width), positions_(shape.positions), layout_(shape.layout) {
  const names::TransformerStackNames name(stack);
  if (shape.scale_embedding)
    scale_ = static_cast<float>(std::sqrt(static_cast<double>(embedding_width)));
  if (embedding_width != width_) to_width_ = packer.linear({name.to_width});
  if (positions_ == PositionKind::kLearned) table_ = packer.vector(name.positions);
  if (positions_ != PositionKind::kSinusoidal) return;
  constexpr int64_t kReady = 512;  // later positions are computed on demand
  table_.resize(static_cast<size_t>(kReady * width_));
  for (int64_t p = 0; p < kReady; ++p) sinusoid(p, width_, layout_, table_.data() + p * width_);
}

void InputLayer::read(AlignedFloats& embedded, const std::vector<int64_t>& positions,
                      AlignedFloats& to) const {
  const auto rows = std::ssize(positions);
  if (scale_ != 1) std::ranges::for_each(embedded, [this](float& value) { value *= scale_; });
  if (to_width_.outputs() > 0) {
    to.resize(static_cast<size_t>(rows * width_));
    to_width_.product(embedded.data(), rows, to.data());
  } else {
    std::swap(embedded, to);
  }
  if (positions_ == PositionKind::kNone) return;
  const auto ready = std::ssize(table_) / width_;
  std::vector<float> behind(static_cast<size_t>(width_));
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = table_.data() + std::min(positions[r], ready - 1) * width_;
    if (positions_ == PositionKind::kSinusoidal && positions[r] >= ready) {
      sinusoid(positions[r], width_, layout_, behind.data());
      from = behind.data();
    }
    for (int64_t i = 0; i < width_; ++i) to[r * width_ + i] += from[i];
  }
}

}  // namespace heed
