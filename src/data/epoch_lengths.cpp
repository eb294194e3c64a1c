#include "data/epoch_lengths.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

void EpochLengths::add(PairId pair, const std::vector<int64_t>& lengths) {
  HEED_CHECK(lengths.size() == sides() && (pairs_.empty() || pairs_.back() < pair));
  pairs_.push_back(pair);
  for (const int64_t length : lengths) lengths_.push_back(static_cast<uint16_t>(length));
}

int64_t EpochLengths::length(PairId pair, size_t side) const {
  if (pairs_.empty()) return index_->length(pair, side);
  const auto found = find(pair);
  return found ? lengths_[*found * sides() + side] : index_->length(pair, side);
}

int64_t EpochLengths::row_length(PairId pair) const {
  int64_t longest = 0;
  for (size_t side = 0; side < sides(); ++side) longest = std::max(longest, length(pair, side));
  return longest + 1;
}

std::optional<size_t> EpochLengths::find(PairId pair) const {
  const auto found = std::ranges::lower_bound(pairs_, pair);
  if (found == pairs_.end() || *found != pair) return std::nullopt;
  return static_cast<size_t>(found - pairs_.begin());
}

}  // namespace heed
