// Exact maximum inner product search: finds the output with the largest score s = x·w + b, where
// most scores are known in 8 bits only, as s' = x'·w' + b. A panel of outputs (MatrixView) is
// multiplied in float32 unless the bound of |s - s'| (inference/rounding_error.h) excludes it. The
// result is the same as with all products in float32, bit for bit: each product is the same sum in
// the same order. Bounds by products of integers are those of FEXIPRO (Li et al. 2017).
//
// Own code because libraries for this search are approximate or need the queries in advance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inference/rounding_error.h"
#include "kernels/aligned.h"
#include "kernels/packed_matrix.h"
#include "search/engine.h"

namespace heed {

class MaximumInnerProduct {
 public:
  struct Workspace {
    AlignedFloats bounds, scores;
    Aligned<uint8_t> bytes;
    int64_t searched = 0;  // panels that find() has multiplied so far
  };

  // weights [O,I] in float32; they have to outlive the object.
  MaximumInnerProduct(const PackedMatrix& weights, const Kernels& set);

  // True if the search is faster than all products in float32, provided that bounds exclude most
  // panels.
  static bool suits(const PackedMatrix& weights, const Kernels& set);

  // The weights in 8 bits, whose products are the scores s' of find().
  const PackedMatrix& rounded() const { return rounded_.rounded; }
  int32_t panels() const { return static_cast<int32_t>(rounded_.bounds.size()); }
  // Finds the output with the largest score; ties go to the lower index; -1 if all are banned. x
  // [I] is finite. rounded_scores [O]: the scores of banned outputs are overwritten. Throws
  // Error(kModel) if the score is too large for float32.
  int32_t find(const float* x, std::span<float> rounded_scores,
               std::span<const Limits::Token> banned, Workspace& room) const;

 private:
  struct Best {
    float score;
    int32_t output;
  };

  using Quantize = decltype(Kernels::quantize);
  RoundingError error_of(const float* x, Quantize quantize, Aligned<uint8_t>& bytes) const;
  // Computes the largest possible score of each panel.
  void find_bounds(const float* x, std::span<const float> rounded_scores, Workspace& room) const;
  void search_panel(const float* x, int32_t panel, std::span<const Limits::Token> banned,
                    Workspace& room, Best& best) const;

  const PackedMatrix& weights_;
  const Kernels& set_;
  BoundedWeights rounded_;
};

// Decides whether the next step searches. If bounds exclude too few panels, as with long rows and
// scores that differ little, all products are faster. The search then pauses, each time twice as
// long.
class SearchPauses {
 public:
  bool is_over() { return waiting_ == 0 || --waiting_ == 0; }
  // Called after a step that multiplied `searched` of `all` panels, summed over the rows.
  void note(int64_t searched, int64_t all) {
    constexpr int64_t kMost = 32;  // a search pays off up to 1/32 of the panels
    if (searched * kMost <= all) return;
    waiting_ = next_;
    next_ *= 2;
  }

 private:
  int64_t waiting_ = 0, next_ = 16;  // steps
};

}  // namespace heed
