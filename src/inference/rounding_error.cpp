#include "inference/rounding_error.h"

#include <span>

#include "kernels/aligned.h"

namespace heed {

BoundedWeights::BoundedWeights(const PackedMatrix& weights, const Kernels& set, Precision precision,
                               const std::function<RoundingError(const float* w)>& error_of) {
  const std::span<const float> bias = weights.bias();
  AlignedFloats rows;
  const auto rows_of = [&](int64_t first, int64_t count) {
    rows.resize(static_cast<size_t>(count * weights.inputs()));
    weights.unpack(first, count, rows.data());
    OutputBounds& panel = bounds.emplace_back();
    for (int64_t i = 0; i < count; ++i)
      panel.add(error_of(rows.data() + i * weights.inputs()), bias.empty() ? 0 : bias[first + i]);
    return rows.data();
  };
  rounded = PackedMatrix(set, precision, rows_of, weights.outputs(), weights.inputs(), bias);
}

}  // namespace heed
