// Beam search in float32, for which only the logits that can be among the largest are products in
// float32. The others are those of integers of 16 bits with the error of one rounding of row and
// weights, about 1e-5 |x| |w|; they count in the sum over the vocabulary alone.
#pragma once

#include <cstdint>
#include <span>

#include "inference/likely_outputs.h"
#include "inference/rounding_error.h"
#include "kernels/aligned.h"
#include "kernels/packed_matrix.h"

namespace heed {

class ScreenedLogits {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats products;
    Aligned<int16_t> words;
  };

  // weights [O,I] in float32, which have to outlive it.
  ScreenedLogits(const PackedMatrix& weights, const Kernels& set);

  // Whether it is faster than all products in float32, as it is where the weights are many.
  static bool suits(const PackedMatrix& weights, const Kernels& set);

  // The weights in 16 bits, whose products are the logits of refine().
  const PackedMatrix& rounded() const { return rounded_; }
  // Chooses the outputs that can be among the `count` with the largest products in float32, and
  // `wanted`; -1: none. Replaces their logits by these products, bit for bit.  x [I], logits [O]
  void refine(const float* x, std::span<float> logits, int64_t count, int32_t wanted,
              LikelyOutputs& likely, Workspace& room) const;

 private:
  RoundingError error_of(const float* x, Aligned<int16_t>& words) const;

  const PackedMatrix& weights_;
  const Kernels& set_;
  PackedMatrix rounded_;
  OutputBounds bounds_;  // of all outputs
};

}  // namespace heed
