// Which pairs stand in which batch of an epoch: a pure function of (index, limit, seed, epoch).
//
// The pairs are shuffled, then sorted by length within pools of about 16,000, so that a batch holds
// similar lengths and yet other neighbours each epoch; a pool is cut into batches and the batches
// of all pools are shuffled. A corpus of weight 2 has each of its pairs twice, one of weight 0.5
// half of them: a window that goes on through a fixed random order, so that two epochs see them
// all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/batch_limit.h"
#include "data/pair_index.h"

namespace heed {

class EpochPlan {
 public:
  // Throws Error(kData) if the weights make an epoch longer than 2^32 - 1 pairs.
  EpochPlan(const PairIndex& index, const BatchLimit& limit, uint64_t seed, int64_t epoch);

  int64_t batches() const { return static_cast<int64_t>(shuffled_.size()); }
  std::span<const PairId> batch(int64_t number) const;
  // What the plan holds in memory: 4 bytes a pair of the epoch and 8 a batch.
  size_t bytes() const;

 private:
  void choose(const PairIndex& index, uint64_t seed, int64_t epoch);
  void cut_pool(const PairIndex& index, const BatchLimit& limit, size_t begin, size_t end);

  std::vector<PairId> order_;
  std::vector<uint32_t> begins_;    // in order_, of each batch as it was cut
  std::vector<uint32_t> shuffled_;  // which of them is the n-th of the epoch
};

}  // namespace heed
