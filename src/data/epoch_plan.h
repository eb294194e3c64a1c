// Plan of an epoch: the pairs of each batch, a pure function of (index, limit, seed, epoch).
//
// The pairs are shuffled, then sorted by length within pools of about 16,000, so that a batch has
// similar lengths but other neighbours in each epoch. A pool is cut into batches, and the batches
// of all pools are shuffled. A corpus with weight 2 has each of its pairs twice, one with weight
// 0.5 has half of them: a window that moves through a fixed random order, so that two epochs see
// all pairs. Lengths are those of the text that the epoch has (epoch_lengths.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/batch_limit.h"
#include "data/epoch_lengths.h"
#include "data/pair_index.h"

namespace heed {

class EpochPlan {
 public:
  // Lengths of the pairs of an epoch, of which some may be there more than once.
  using Measure = std::function<EpochLengths(std::span<const PairId> pairs)>;

  // measure: if given, has other lengths than the index. Throws Error(kData) if the weights make an
  // epoch longer than 2^32 - 1 pairs.
  EpochPlan(const PairIndex& index, const BatchLimit& limit, uint64_t seed, int64_t epoch,
            const Measure& measure = {});

  int64_t batches() const { return static_cast<int64_t>(shuffled_.size()); }
  std::span<const PairId> batch(int64_t number) const;
  const EpochLengths& lengths() const { return lengths_; }
  // Memory of the plan: 4 bytes for each pair of the epoch and 8 for each batch.
  size_t bytes() const;

 private:
  void choose(const PairIndex& index, uint64_t seed, int64_t epoch);
  void cut_pool(const BatchLimit& limit, size_t begin, size_t end);

  EpochLengths lengths_;
  std::vector<PairId> order_;
  std::vector<uint32_t> begins_;    // first index of each batch in order_, before shuffling
  std::vector<uint32_t> shuffled_;  // number in begins_ of the n-th batch of the epoch
};

}  // namespace heed
