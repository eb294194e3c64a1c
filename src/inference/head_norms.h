// Normalization of queries and keys (nn/attention/scores/dot_product.h), and the factor of the
// queries.
#pragma once

#include <cstdint>

#include "inference/attention_shape.h"
#include "inference/packer.h"
#include "kernels/aligned.h"

namespace heed {

class HeadNorms {
 public:
  HeadNorms(const MultiHeadShape& shape, const names::AttentionNames& name, const Packer& packer);
  // Rows of all heads, `stride` apart, in place.
  void queries(float* x, int64_t rows, int64_t stride, const Kernels& set) const;
  void keys(float* x, int64_t rows, int64_t stride, const Kernels& set) const;

 private:
  void normalize(float* x, int64_t heads, const AlignedFloats& gain, const Kernels& set) const;
  void normalize_rows(float* x, int64_t rows, int64_t stride, int64_t heads,
                      const AlignedFloats& gain, const Kernels& set) const;

  QueryKeyNorm norm_;
  double scale_;
  int64_t heads_, key_heads_, width_;
  AlignedFloats query_gain_, key_gain_;  // [D]
};

}  // namespace heed
