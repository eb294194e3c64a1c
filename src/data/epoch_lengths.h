// Lengths of the pairs in one epoch: those of the index, or of the augmented text.
#pragma once

#include <optional>
#include <vector>

#include "data/pair_index.h"

namespace heed {

class EpochLengths {
 public:
  // The index must outlive the lengths.
  explicit EpochLengths(const PairIndex& index) : index_(&index) {}

  // Adds an augmented pair, in ascending order. lengths: of each side.
  void add(PairId pair, const std::vector<int64_t>& lengths);
  bool is_augmented(PairId pair) const { return !pairs_.empty() && find(pair).has_value(); }

  size_t sides() const { return index_->sides(); }
  int64_t length(PairId pair, size_t side) const;
  // Length of the longest side with kEnd: the length of the pair's row in a batch.
  int64_t row_length(PairId pair) const;

 private:
  std::optional<size_t> find(PairId pair) const;

  const PairIndex* index_;
  std::vector<PairId> pairs_;
  std::vector<uint16_t> lengths_;  // all sides of each of them
};

}  // namespace heed
