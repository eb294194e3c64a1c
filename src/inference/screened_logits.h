// Output layer in float32 for steps that need all logits for the sum over the vocabulary, but
// individually only the largest ones, as in beam search. The largest logits are products in
// float32. The others are products of 16-bit integers, with an error from rounding the row and the
// weights of about 1e-5 |x| |w|. Greedy search needs the largest logit alone, for which bounds by 8
// bits are enough (maximum_inner_product.h); here the others enter the sum, in which errors of 8
// bits would add up. The tokens of `heed score` are all forced, and their logits not screened.
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
    Aligned<int16_t> shorts;
  };

  // weights [O,I] in float32; they have to outlive the object.
  ScreenedLogits(const PackedMatrix& weights, const Kernels& set);

  // True if this is faster than all products in float32 for the `count` largest of each row: the
  // weights do not fit in the caches, and few panels are multiplied a second time.
  static bool suits(const PackedMatrix& weights, const Kernels& set, int64_t count);

  // The weights in 16 bits, whose products are the logits of refine().
  const PackedMatrix& rounded() const { return rounded_.rounded; }
  // Chooses the outputs that can be among the `count` with the largest products in float32, and the
  // output `forced`; -1: none. Replaces their logits by these products, bit for bit.  x [I], logits
  // [O]
  void refine(const float* x, std::span<float> logits, int64_t count, int32_t forced,
              LikelyOutputs& likely, Workspace& room) const;

 private:
  RoundingError error_of(const float* x, Aligned<int16_t>& shorts) const;

  const PackedMatrix& weights_;
  const Kernels& set_;
  BoundedWeights rounded_;
};

}  // namespace heed
