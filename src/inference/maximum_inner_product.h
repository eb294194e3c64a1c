// Exact maximum inner product search: the output with the largest score s = x·w + b, where most
// scores are known in 8 bits only. With x' and w' as they are rounded, s' = x'·w' + b, and by the
// inequality of Cauchy and Schwarz
//   |s - s'| <= |x - x'| (|w| + |w - w'|) + |x| |w - w'|.
// A panel of outputs (MatrixView) is multiplied in float32 unless this bound excludes it. The result
// is that of all products in float32, bit for bit: each is the same sum in the same order. Bounds by
// products of integers are those of FEXIPRO (Li et al. 2017).
//
// Own code because libraries for this search are approximate or know the queries beforehand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/packed_matrix.h"
#include "search/engine.h"

namespace heed {

class MaximumInnerProduct {
 public:
  struct Workspace {
    AlignedFloats bounds, scores;
    Aligned<uint8_t> bytes;
  };

  // weights [O,I] in float32, which have to outlive it.
  MaximumInnerProduct(const PackedMatrix& weights, const Kernels& set);

  // Whether it is faster than all products.
  static bool pays(const PackedMatrix& weights, const Kernels& set);

  // The weights in 8 bits, whose products are the scores s' of find().
  const PackedMatrix& rounded() const { return rounded_; }
  // The output with the largest score, ties by the lower index; -1 if all are banned. x [I] is
  // finite; rounded_scores [O], those of banned outputs are replaced.
  int32_t find(const float* x, std::span<float> rounded_scores,
               std::span<const Limits::Token> banned, Workspace& room) const;

 private:
  // What rounding does to a vector.
  struct Norms {
    double own, error;  // |x|, |x - x'|
  };
  struct Best {
    float score;
    int32_t output;
  };

  Norms norms_of(const float* x, Aligned<uint8_t>& bytes) const;
  void add_panel(const float* rows, int64_t count, Aligned<uint8_t>& bytes);
  // The largest scores that the panels can have.
  void find_bounds(const float* x, std::span<const float> rounded_scores, Workspace& room) const;
  void search_panel(const float* x, int64_t panel, std::span<const Limits::Token> banned,
                    Workspace& room, Best& best) const;

  const PackedMatrix& weights_;
  const Kernels& set_;
  PackedMatrix rounded_;
  // Of each panel: the largest |w| + |w - w'|, and the largest |w - w'|.
  std::vector<float> norms_, errors_;
  double largest_bias_ = 0;
};

}  // namespace heed
