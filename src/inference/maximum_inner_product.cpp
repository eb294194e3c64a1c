#include "inference/maximum_inner_product.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    add_panel(rows.data(), count, bytes);
    return rows.data();
  };
  rounded_ = PackedMatrix(set, Precision::kInt8, rows_of, weights.outputs(), weights.inputs(),
                          weights.bias());
  for (const float bias : weights.bias())
    largest_bias_ = std::max<double>(largest_bias_, std::abs(bias));
}

bool MaximumInnerProduct::pays(const PackedMatrix& weights, const Kernels& set) {
  constexpr int64_t kFewest = 1024;  // outputs
  return set.dots_bytes && weights.precision() == Precision::kFloat && weights.outputs() >= kFewest;
}

void MaximumInnerProduct::add_panel(const float* rows, int64_t count, Aligned<uint8_t>& bytes) {
  double norm = 0, error = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Norms own = norms_of(rows + i * weights_.inputs(), bytes);
    norm = std::max(norm, own.own + own.error);
    error = std::max(error, own.error);
  }
  norms_.push_back(static_cast<float>(norm));
  errors_.push_back(static_cast<float>(error));
}

MaximumInnerProduct::Norms MaximumInnerProduct::norms_of(const float* x,
                                                         Aligned<uint8_t>& bytes) const {
  const int64_t width = weights_.inputs();
  bytes.resize(static_cast<size_t>(filled_up(width, 4)));
  float scale = 0;
  set_.quantize(x, 1, width, width, std::ssize(bytes), {bytes.data(), &scale});
  double own = 0, error = 0;
  for (int64_t i = 0; i < width; ++i) {
    const double value = x[i], rest = value - static_cast<double>(scale) * (bytes[i] - 128);
    own += value * value;
    error += rest * rest;
  }
  return {std::sqrt(own), std::sqrt(error)};
}

void MaximumInnerProduct::find_bounds(const float* x, std::span<const float> rounded_scores,
                                      Workspace& room) const {
  const auto panels = std::ssize(norms_);
  room.bounds.resize(norms_.size());
  set_.greatest_of_panels(rounded_scores.data(), std::ssize(rounded_scores), room.bounds.data());
  const Norms own = norms_of(x, room.bytes);
  // Each sum of I products and what is done with it, twice the rounding that float32 allows.
  const double rounding = 2 * kUnit * static_cast<double>(weights_.inputs() + 16);
  const auto by_norm = static_cast<float>(1.0001 * own.error + rounding * own.own),
             by_error = static_cast<float>(1.0001 * own.own),
             always = static_cast<float>(8 * kUnit * largest_bias_);
  for (int64_t p = 0; p < panels; ++p)
    room.bounds[p] += by_norm * norms_[p] + by_error * errors_[p] + always;
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
}

int32_t MaximumInnerProduct::find(const float* x, std::span<float> rounded_scores,
                                  std::span<const Limits::Token> banned, Workspace& room) const {
  for (const auto& token : banned) rounded_scores[token.id] = kImpossible;
  find_bounds(x, rounded_scores, room);
  const int64_t likely = std::ranges::max_element(room.bounds) - room.bounds.begin();
  Best best{kImpossible, -1};
  search_panel(x, likely, banned, room, best);
  for (int64_t p = 0; p < std::ssize(room.bounds); ++p) {
    const bool can_be_best = room.bounds[p] >= best.score && room.bounds[p] > kImpossible;
    if (can_be_best && p != likely) search_panel(x, p, banned, room, best);
  }
  return best.output;
}

}  // namespace heed
