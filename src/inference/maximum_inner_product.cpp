#include "inference/maximum_inner_product.h"

#include <algorithm>
#include <limits>

#include "search/not_a_number.h"

namespace heed {

namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

}  // namespace

MaximumInnerProduct::MaximumInnerProduct(const PackedMatrix& weights, const Kernels& set)
    : weights_(weights),
      set_(set),
      rounded_(weights, set, Precision::kInt8,
               [this, bytes = Aligned<uint8_t>()](const float* w) mutable {
                 return error_of(w, set_.quantize, bytes);
               }) {}

bool MaximumInnerProduct::suits(const PackedMatrix& weights, const Kernels& set) {
  constexpr int64_t kFewest = 1024;  // outputs
  return set.has_fast_int8 && weights.precision() == Precision::kFloat &&
         weights.outputs() >= kFewest && weights.inputs() <= kWidestInt8;
}

RoundingError MaximumInnerProduct::error_of(const float* x, Quantize quantize,
                                            Aligned<uint8_t>& bytes) const {
  const int64_t width = weights_.inputs();
  bytes.resize(static_cast<size_t>(width));
  float scale = 0;
  quantize(x, 1, width, width, width, {bytes.data(), &scale});
  return rounding_error(x, width,
                        [&](int64_t i) { return static_cast<double>(scale) * (bytes[i] - 128); });
}

void MaximumInnerProduct::find_bounds(const float* x, std::span<const float> rounded_scores,
                                      Workspace& room) const {
  room.bounds.resize(rounded_.bounds.size());
  set_.greatest_of_panels(rounded_scores.data(), std::ssize(rounded_scores), room.bounds.data());
  const ScoreBound bound(error_of(x, set_.quantize, room.bytes), weights_.inputs());
  for (size_t p = 0; p < room.bounds.size(); ++p) room.bounds[p] += bound.of(rounded_.bounds[p]);
}

void MaximumInnerProduct::search_panel(const float* x, int32_t panel,
                                       std::span<const Limits::Token> banned, Workspace& room,
                                       Best& best) const {
  room.scores.resize(static_cast<size_t>(kPanelColumns));
  const int64_t first = panel * kPanelColumns;
  const int64_t count = std::min(kPanelColumns, weights_.outputs() - first);
  weights_.product_of_panels(x, {&panel, 1}, room.scores.data());
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
  const auto likely =
      static_cast<int32_t>(std::ranges::max_element(room.bounds) - room.bounds.begin());
  Best best{kImpossible, -1};
  search_panel(x, likely, banned, room, best);
  for (int32_t p = 0; p < panels(); ++p) {
    const bool is_excluded = room.bounds[p] < best.score;  // not by a bound that is no number
    if (!is_excluded && p != likely) search_panel(x, p, banned, room, best);
  }
  if (best.score > std::numeric_limits<float>::max()) throw_not_a_number();
  return best.output;
}

}  // namespace heed
