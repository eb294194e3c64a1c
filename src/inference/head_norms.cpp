#include "inference/head_norms.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed {

HeadNorms::HeadNorms(const MultiHeadShape& shape, const names::AttentionNames& name,
                     const Packer& packer)
    : norm_(shape.norm),
      scale_(shape.scale),
      heads_(shape.heads),
      key_heads_(shape.key_value_heads),
      width_(shape.width) {
  if (norm_ == QueryKeyNorm::kNone) return;
  std::vector<float> query(static_cast<size_t>(width_), 1), key = query;
  if (norm_ == QueryKeyNorm::kL2) {
    std::ranges::fill(query, packer.vector(name.gain)[0]);
  } else {
    query = packer.vector(names::weight(name.query_norm));
    key = packer.vector(names::weight(name.key_norm));
  }
  for (float& gain : query) gain *= static_cast<float>(scale_);
  query_gain_.assign(query.begin(), query.end());
  key_gain_.assign(key.begin(), key.end());
}

void HeadNorms::normalize(float* x, int64_t heads, const AlignedFloats& gain,
                          const Kernels& set) const {
  if (norm_ == QueryKeyNorm::kRms) return set.rms_norm(x, heads, width_, gain.data(), x);
  for (int64_t h = 0; h < heads; ++h, x += width_) {
    constexpr float kSmallest = 1e-8F;  // nn/attention/unit.h
    const float length = std::sqrt(std::inner_product(x, x + width_, x, 0.0F));
    const float factor = length < kSmallest ? 0 : gain[0] / length;
    std::for_each(x, x + width_, [factor](float& value) { value *= factor; });
  }
}

void HeadNorms::normalize_rows(float* x, int64_t rows, int64_t stride, int64_t heads,
                               const AlignedFloats& gain, const Kernels& set) const {
  if (norm_ == QueryKeyNorm::kNone) return;
  for (int64_t r = 0; r < rows; ++r) normalize(x + r * stride, heads, gain, set);
}

void HeadNorms::queries(float* x, int64_t rows, int64_t stride, const Kernels& set) const {
  normalize_rows(x, rows, stride, heads_, query_gain_, set);
  if (norm_ != QueryKeyNorm::kNone || scale_ == 1) return;  // gains have the factor
  const auto factor = static_cast<float>(scale_);
  for (int64_t r = 0; r < rows; ++r, x += stride) {
    for (int64_t i = 0; i < heads_ * width_; ++i) x[i] *= factor;
  }
}
void HeadNorms::keys(float* x, int64_t rows, int64_t stride, const Kernels& set) const {
  normalize_rows(x, rows, stride, key_heads_, key_gain_, set);
}

}  // namespace heed
