#include "metric/word_places.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr size_t kBits = std::numeric_limits<uint64_t>::digits;

}  // namespace

WordPlaces::WordPlaces(const std::vector<uint32_t>& words)
    : blocks_((words.size() + kBits - 1) / kBits) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto& places = places_[words[i]];
    if (places.empty() || places.back().block != i / kBits) places.push_back({i / kBits, 0});
    places.back().bits |= uint64_t{1} << i % kBits;
  }
}

const std::vector<PlaceBits>& WordPlaces::of(uint32_t word) const {
  static const std::vector<PlaceBits> nowhere;
  const auto found = places_.find(word);
  return found == places_.end() ? nowhere : found->second;
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
