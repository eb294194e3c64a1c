#include "inference/positions.h"

#include <algorithm>
#include <cmath>

namespace heed {

// Numbers of an encoding that have waves; fairseq leaves out the last of an odd width.
int64_t SinusoidalPositions::waves() const {
  return layout_ == SinusoidLayout::kFairseq ? width_ / 2 * 2 : width_;
}

SinusoidalPositions::SinusoidalPositions(int64_t width, SinusoidLayout layout)
    : width_(width), layout_(layout) {
  const int64_t period = sinusoid_period(layout, waves());
  for (int64_t i = 0; i < waves(); i += 2)
    rates_.push_back(
        std::exp(static_cast<double>(i) * (-std::log(10000.0) / static_cast<double>(period))));
}

void SinusoidalPositions::encode(int64_t position, float* to) const {
  const int64_t first = first_position(layout_);
  const int64_t sines = (waves() + 1) / 2;
  for (int64_t i = 0; i < waves(); ++i) {
    const double angle = static_cast<double>(position + first) * rates_[static_cast<size_t>(i / 2)];
    const int64_t at = layout_ == SinusoidLayout::kInterleaved ? i
                       : i % 2 == 0                            ? i / 2
                                                               : sines + i / 2;
    to[at] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
  for (int64_t i = waves(); i < width_; ++i) to[i] = 0;
}

PositionTable::PositionTable(const PositionShape& shape, int64_t width, const std::string& table,
                             const Packer& packer)
    : shape_(shape), width_(width), sinusoidal_(width, shape.layout) {
  if (shape_.kind == PositionKind::kLearned) table_ = packer.vector(table);
  if (shape_.kind != PositionKind::kSinusoidal) return;
  constexpr int64_t kReady = 64;  // later positions are computed on demand
  table_.resize(static_cast<size_t>(kReady * width_));
  for (int64_t p = 0; p < kReady; ++p) sinusoidal_.encode(p, table_.data() + p * width_);
}

void PositionTable::add_to(float* x, const std::vector<int64_t>& positions) const {
  if (shape_.kind == PositionKind::kNone) return;
  const auto ready = std::ssize(table_) / width_;
  std::vector<float> behind(static_cast<size_t>(width_));
  for (const int64_t position : positions) {
    const float* from = table_.data() + std::min(position, ready - 1) * width_;
    if (shape_.kind == PositionKind::kSinusoidal && position >= ready) {
      sinusoidal_.encode(position, behind.data());
      from = behind.data();
    }
    for (int64_t i = 0; i < width_; ++i) x[i] += from[i];
    x += width_;
  }
}

std::vector<int64_t> source_positions(const std::vector<int64_t>& begins) {
  std::vector<int64_t> positions;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    for (int64_t token = begins[i]; token < begins[i + 1]; ++token)
      positions.push_back(token - begins[i]);
  }
  return positions;
}

}  // namespace heed
