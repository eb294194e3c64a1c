#include "inference/maximum_inner_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/not_a_number.h"

namespace heed {

namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();
constexpr double kUnit = 0x1p-24;  // unit roundoff of float32

}  // namespace

MaximumInnerProduct::MaximumInnerProduct(const PackedMatrix& weights, const Kernels& set)
    : weights_(weights), set_(set) {
  AlignedFloats rows;
  Aligned<uint8_t> bytes;
  const auto rows_of = [&](int64_t first, int64_t count) {
    rows.resize(static_cast<size_t>(count * weights.inputs()));
    weights.unpack(first, count, rows.data());
    add_panel(rows.data(), first, count, bytes);
    return rows.data();
  };
  rounded_ = PackedMatrix(set, Precision::kInt8, rows_of, weights.outputs(), weights.inputs(),
                          weights.bias());
}

bool MaximumInnerProduct::suits(const PackedMatrix& weights, const Kernels& set) {
  constexpr int64_t kFewest = 1024;  // outputs
  return set.has_fast_int8 && weights.precision() == Precision::kFloat &&
         weights.outputs() >= kFewest && weights.inputs() <= kWidestInt8;
}

void MaximumInnerProduct::add_panel(const float* rows, int64_t first, int64_t count,
                                    Aligned<uint8_t>& bytes) {
  PanelBounds bounds;
  for (int64_t i = 0; i < count; ++i) {
    const Norms own = norms_of(rows + i * weights_.inputs(), set_.quantize_weights, bytes);
    bounds.norm = std::max(bounds.norm, static_cast<float>(own.norm + own.error));
    bounds.error = std::max(bounds.error, static_cast<float>(own.error));
    if (!weights_.bias().empty())
      bounds.bias = std::max(bounds.bias, std::abs(weights_.bias()[first + i]));
  }
  bounds_.push_back(bounds);
}

MaximumInnerProduct::Norms MaximumInnerProduct::norms_of(const float* x, Quantize quantize,
                                                         Aligned<uint8_t>& bytes) const {
  const int64_t width = weights_.inputs();
  bytes.resize(static_cast<size_t>(width));
  float scale = 0;
  quantize(x, 1, width, width, width, {bytes.data(), &scale});
  double squares = 0, errors = 0;
  for (int64_t i = 0; i < width; ++i) {
    const double value = x[i], error = value - static_cast<double>(scale) * (bytes[i] - 128);
    squares += value * value;
    errors += error * error;
  }
  return {std::sqrt(squares), std::sqrt(errors)};
}

// Rounding in float32, with its unit u: (I + 1) u |x| |w| of the exact score, 4 u |x'| |w'| of the
// scaled sum of bytes, 2 u |b| of the additions of the bias, and u of all of it in the sum of the
// bound. Twice that is added; 1.0001 covers the norms, which are rounded to float32.
void MaximumInnerProduct::find_bounds(const float* x, std::span<const float> rounded_scores,
                                      Workspace& room) const {
  room.bounds.resize(bounds_.size());
  set_.greatest_of_panels(rounded_scores.data(), std::ssize(rounded_scores), room.bounds.data());
  const Norms own = norms_of(x, set_.quantize, room.bytes);
  const double rounding = 2 * kUnit * static_cast<double>(weights_.inputs() + 16);
  const auto row_error = static_cast<float>(1.0001 * own.error + rounding * own.norm),
             row_norm = static_cast<float>(1.0001 * own.norm),
             bias_rounding = static_cast<float>(8 * kUnit);
  for (size_t p = 0; p < bounds_.size(); ++p)
    room.bounds[p] +=
        row_error * bounds_[p].norm + row_norm * bounds_[p].error + bias_rounding * bounds_[p].bias;
}

void MaximumInnerProduct::search_panel(const float* x, int64_t panel,
                                       std::span<const Limits::Token> banned, Workspace& room,
                                       Best& best) const {
  room.scores.resize(static_cast<size_t>(set_.columns));
  const int64_t first = panel * set_.columns;
  const int64_t count = weights_.panel_product(x, panel, room.scores.data());
  for (const auto& token : banned) {
    if (token.id >= first && token.id < first + count) room.scores[token.id - first] = kImpossible;
  }
  for (int64_t i = 0; i < count; ++i) {
    const auto output = static_cast<int32_t>(first + i);
    const float score = room.scores[i];
    if (score > best.score || (score == best.score && output < best.output)) best = {score, output};
  }
  ++room.searched;
}

int32_t MaximumInnerProduct::find(const float* x, std::span<float> rounded_scores,
                                  std::span<const Limits::Token> banned, Workspace& room) const {
  for (const auto& token : banned) rounded_scores[token.id] = kImpossible;
  find_bounds(x, rounded_scores, room);
  const int64_t likely = std::ranges::max_element(room.bounds) - room.bounds.begin();
  Best best{kImpossible, -1};
  search_panel(x, likely, banned, room, best);
  for (int64_t p = 0; p < panels(); ++p) {
    const bool is_excluded = room.bounds[p] < best.score;  // not by a bound that is no number
    if (!is_excluded && p != likely) search_panel(x, p, banned, room, best);
  }
  if (best.score > std::numeric_limits<float>::max()) throw_not_a_number();
  return best.output;
}

}  // namespace heed
