#include "data/pair_index_builder.h"

#include <limits>

#include "base/error.h"

namespace heed {

void PairIndexBuilder::Offsets::reserve(size_t capacity) {
  low.reserve(capacity);
  high.reserve(capacity);
}

void PairIndexBuilder::Offsets::append(uint64_t offset) {
  HEED_CHECK(offset >> 40 == 0, "{}", offset);
  low.push_back(static_cast<uint32_t>(offset));
  high.push_back(static_cast<uint8_t>(offset >> 32));
}

PairIndexBuilder::PairIndexBuilder(size_t sides, int64_t capacity, size_t annotations)
    : storage_(std::make_shared<Storage>()) {
  constexpr int64_t kMost = std::numeric_limits<PairId>::max();
  if (capacity > kMost) {
    throw_error(ErrorKind::kData, "{} training pairs are too many, at most {} are possible",
                capacity, kMost);
  }
  storage_->sides.resize(sides);
  storage_->annotations.resize(annotations);
  // Exactly: a vector that grows by doubling would for a moment take three times its size.
  storage_->lines.reserve(capacity);
  for (Side& side : storage_->sides) {
    side.offsets.reserve(capacity);
    side.lengths.reserve(capacity);
  }
  for (Offsets& own : storage_->annotations) own.reserve(capacity);
}

void PairIndexBuilder::begin_part(double weight) {
  parts_.push_back({.first = static_cast<PairId>(size()), .count = 0, .weight = weight});
}

void PairIndexBuilder::append(int64_t line, std::span<const uint64_t> offsets,
                              std::span<const int64_t> lengths) {
  auto& [lines, sides, annotations] = *storage_;
  HEED_CHECK(!parts_.empty() && offsets.size() == sides.size() + annotations.size() &&
             lengths.size() == sides.size());
  lines.push_back(static_cast<uint32_t>(line));
  for (size_t i = 0; i < sides.size(); ++i) {
    HEED_CHECK(lengths[i] >> 16 == 0, "{}", lengths[i]);
    sides[i].offsets.append(offsets[i]);
    sides[i].lengths.push_back(static_cast<uint16_t>(lengths[i]));
  }
  for (size_t i = 0; i < annotations.size(); ++i) annotations[i].append(offsets[sides.size() + i]);
  ++parts_.back().count;
}

PairIndex PairIndexBuilder::finish() {
  const std::shared_ptr<const Storage> storage = std::move(storage_);
  PairColumns columns{.lines = storage->lines, .sides = {}, .annotations = {}};
  for (const Side& side : storage->sides)
    columns.sides.push_back({side.offsets.columns(), side.lengths});
  for (const Offsets& own : storage->annotations) columns.annotations.push_back(own.columns());
  return {std::move(columns), std::move(parts_), storage};
}

}  // namespace heed
