#include "metric/word_positions.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr size_t kBits = std::numeric_limits<uint64_t>::digits;

}  // namespace

WordPositions::WordPositions(const std::vector<uint32_t>& words)
    : blocks_((words.size() + kBits - 1) / kBits) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto& positions = positions_[words[i]];
    if (positions.empty() || positions.back().block != i / kBits)
      positions.push_back({i / kBits, 0});
    positions.back().bits |= uint64_t{1} << i % kBits;
  }
}

const std::vector<PositionBits>& WordPositions::of(uint32_t word) const {
  static const std::vector<PositionBits> nowhere;
  const auto found = positions_.find(word);
  return found == positions_.end() ? nowhere : found->second;
}

void check_pairs(const char* measure, size_t words, size_t other_words, double most) {
  if (static_cast<double>(words) * static_cast<double>(other_words) <= most) return;
  throw_error(
      ErrorKind::kData,
      "{}: a sentence of {} words beside one of {} is too long to compare; at most {} pairs "
      "of words are: split the lines into sentences",
      measure, format_count(static_cast<int64_t>(words)),
      format_count(static_cast<int64_t>(other_words)), format_count(static_cast<int64_t>(most)));
}

}  // namespace heed
