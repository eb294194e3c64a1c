#include "inference/positions.h"

#include <algorithm>
#include <cmath>

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

PositionTable::PositionTable(const PositionShape& shape, int64_t width, const std::string& table,
                             const Packer& packer)
    : shape_(shape), width_(width) {
  if (shape_.kind == PositionKind::kLearned) table_ = packer.vector(table);
  if (shape_.kind != PositionKind::kSinusoidal) return;
  constexpr int64_t kReady = 512;  // later positions are computed on demand
  table_.resize(static_cast<size_t>(kReady * width_));
  for (int64_t p = 0; p < kReady; ++p)
    sinusoid(p, width_, shape_.layout, table_.data() + p * width_);
}

void PositionTable::add_to(float* x, const std::vector<int64_t>& positions) const {
  if (shape_.kind == PositionKind::kNone) return;
  const auto ready = std::ssize(table_) / width_;
  std::vector<float> behind(static_cast<size_t>(width_));
  for (const int64_t position : positions) {
    const float* from = table_.data() + std::min(position, ready - 1) * width_;
    if (shape_.kind == PositionKind::kSinusoidal && position >= ready) {
      sinusoid(position, width_, shape_.layout, behind.data());
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
