#include "data/pair_index.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace heed {

void PairIndex::Offsets::reserve(size_t capacity) {
  low.reserve(capacity);
  high.reserve(capacity);
}

void PairIndex::Offsets::append(uint64_t offset) {
  HEED_CHECK(offset >> 40 == 0, "{}", offset);
  low.push_back(static_cast<uint32_t>(offset));
  high.push_back(static_cast<uint8_t>(offset >> 32));
}

size_t PairIndex::Offsets::bytes() const {
  return low.capacity() * sizeof(uint32_t) + high.capacity();
}

PairIndex::PairIndex(size_t sides, int64_t capacity, size_t annotations)
    : sides_(sides), annotations_(annotations) {
  constexpr int64_t kMost = std::numeric_limits<PairId>::max();
  if (capacity > kMost) {
    throw_error(ErrorKind::kData, "{} training pairs are too many, at most {} are possible",
                capacity, kMost);
  }
  // Exactly: a vector that grows by doubling would for a moment take three times its size.
  lines_.reserve(capacity);
  for (Side& side : sides_) {
    side.offsets.reserve(capacity);
    side.lengths.reserve(capacity);
  }
  for (Offsets& own : annotations_) own.reserve(capacity);
}

void PairIndex::begin_part(double weight) {
  parts_.push_back({.first = static_cast<PairId>(lines_.size()), .count = 0, .weight = weight});
}

void PairIndex::append(int64_t line, std::span<const uint64_t> offsets,
                       std::span<const int64_t> lengths) {
  HEED_CHECK(!parts_.empty() && offsets.size() == sides() + annotations_.size() &&
             lengths.size() == sides());
  lines_.push_back(static_cast<uint32_t>(line));
  for (size_t i = 0; i < sides(); ++i) {
    HEED_CHECK(lengths[i] >> 16 == 0, "{}", lengths[i]);
    sides_[i].offsets.append(offsets[i]);
    sides_[i].lengths.push_back(static_cast<uint16_t>(lengths[i]));
  }
  for (size_t i = 0; i < annotations_.size(); ++i) annotations_[i].append(offsets[sides() + i]);
  ++parts_.back().count;
}

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
  for (const Side& side : sides_) longest = std::max<int64_t>(longest, side.lengths[pair]);
  return longest + 1;
}

size_t PairIndex::bytes() const {
  size_t bytes = lines_.capacity() * sizeof(uint32_t) + parts_.capacity() * sizeof(IndexPart);
  for (const Side& side : sides_)
    bytes += side.offsets.bytes() + side.lengths.capacity() * sizeof(uint16_t);
  for (const Offsets& own : annotations_) bytes += own.bytes();
  return bytes;
}

}  // namespace heed
