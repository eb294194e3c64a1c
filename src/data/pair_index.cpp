#include "data/pair_index.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

PairIndex::PairIndex(PairColumns columns, std::vector<IndexPart> parts,
                     std::shared_ptr<const void> owner)
    : columns_(std::move(columns)), parts_(std::move(parts)), owner_(std::move(owner)) {}

void PairIndex::reweigh(const std::vector<double>& weights) {
  HEED_CHECK(weights.size() == parts_.size());
  for (size_t i = 0; i < weights.size(); ++i) parts_[i].weight = weights[i];
}

size_t PairIndex::part_of(PairId pair) const {
  const auto after = std::ranges::upper_bound(parts_, pair, {}, &IndexPart::first);
  HEED_CHECK(after != parts_.begin() && pair < size(), "pair {} of {}", pair, size());
  return static_cast<size_t>(after - parts_.begin()) - 1;
}

int64_t PairIndex::row_length(PairId pair) const {
  int64_t longest = 0;
  for (const PairColumns::Side& side : columns_.sides)
    longest = std::max<int64_t>(longest, side.lengths[pair]);
  return longest + 1;
}

size_t PairIndex::bytes() const {
  size_t bytes = 0;
  for_each_column(columns_, [&bytes](auto& column) { bytes += column.size_bytes(); });
  return bytes;
}

}  // namespace heed
