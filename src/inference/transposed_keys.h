// Keys as the kernels want them (AttentionView::keys).
#pragma once

#include <algorithm>
#include <cstdint>

namespace heed {

// Transposes the first `width` columns of keys [S,stride] to [width,padded], padded with 0.
inline void transpose_keys(const float* keys, int64_t count, int64_t stride, int64_t width,
                           int64_t padded, float* to) {
  for (int64_t d = 0; d < width; ++d) {
    for (int64_t s = 0; s < count; ++s) to[d * padded + s] = keys[s * stride + d];
    std::fill(to + d * padded + count, to + (d + 1) * padded, 0.0F);
  }
}

}  // namespace heed
