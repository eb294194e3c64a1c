// How far the score s = x·w + b of an output is from s' = x'·w' + b with a row and weights as they are
// rounded to integers. By the inequality of Cauchy and Schwarz
//   |s - s'| <= |x - x'| (|w| + |w - w'|) + |x| |w - w'|.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/packed_matrix.h"

namespace heed {

struct RoundingError {
  double norm = 0, error = 0;  // |x| and |x - x'|
};

// rounded(i): x'[i].  x [width]
template <class Rounded>
RoundingError rounding_error(const float* x, int64_t width, const Rounded& rounded) {
  double squares = 0, errors = 0;
  for (int64_t i = 0; i < width; ++i) {
    const double value = x[i], error = value - rounded(i);
    squares += value * value;
    errors += error * error;
  }
  return {std::sqrt(squares), std::sqrt(errors)};
}

// The largest of some outputs: |w| + |w - w'|, |w - w'|, and |b|.
struct OutputBounds {
  float norm = 0, error = 0, bias = 0;

  void add(const RoundingError& output, float its_bias) {
    norm = std::max(norm, static_cast<float>(output.norm + output.error));
    error = std::max(error, static_cast<float>(output.error));
    bias = std::max(bias, std::abs(its_bias));
  }
};

// Weights in `precision`, and the bounds of each panel (MatrixView).
struct BoundedWeights {
  // weights: in float32; error_of(w): of the weights of an output, as `precision` rounds them.
  BoundedWeights(const PackedMatrix& weights, const Kernels& set, Precision precision,
                 const std::function<RoundingError(const float* w)>& error_of);

  std::vector<OutputBounds> bounds;
  PackedMatrix rounded;
};

// The bound for a row, the rounding of float32 in both scores included. With its unit u that is
// (I + 1) u |x| |w| of the score s, 4 u |x'| |w'| of the scaled sum of integers, 2 u |b| of the
// additions of the bias, and u of all of it in the sum of the bound; twice that is added. 1.0001
// covers the norms, which are rounded to float32.
class ScoreBound {
 public:
  ScoreBound(const RoundingError& row, int64_t width) {
    const double rounding = 2 * kUnit * static_cast<double>(width + 16);
    error_ = static_cast<float>(1.0001 * row.error + rounding * row.norm);
    norm_ = static_cast<float>(1.0001 * row.norm);
  }
  float of(const OutputBounds& outputs) const {
    return error_ * outputs.norm + norm_ * outputs.error +
           static_cast<float>(8 * kUnit) * outputs.bias;
  }

 private:
  static constexpr double kUnit = 0x1p-24;  // unit roundoff of float32
  float error_, norm_;
};

}  // namespace heed
