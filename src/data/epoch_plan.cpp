#include "data/epoch_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "data/permutation.h"

namespace heed {

namespace {

constexpr int64_t kPool = 16384;

// How many pairs of a part an epoch has: each `copies` times, and a window of `extra` once more.
struct Quota {
  uint64_t copies = 0, extra = 0;
};

Quota quota_of(const IndexPart& part) {
  if (part.count == 0) return {};
  const double whole = std::floor(part.weight);
  Quota quota{static_cast<uint64_t>(std::min(whole, 1e9)),
              static_cast<uint64_t>(std::llround((part.weight - whole) * part.count))};
  if (quota.copies == 0 && quota.extra == 0) quota.extra = 1;
  return quota;
}

// Calls take(pair) for each pair of the part in this window.
template <class Take>
void for_window(const IndexPart& part, uint64_t extra, uint64_t seed, int64_t epoch, Take take) {
  if (extra == 0) return;
  const Permutation permutation(part.count, stream_key(seed, "corpus", part.first));
  const uint64_t start = static_cast<uint64_t>(epoch) % part.count * extra % part.count;
  for (uint64_t i = 0; i < extra; ++i) {
    take(part.first + static_cast<PairId>(permutation((start + i) % part.count)));
  }
}

// A pool is a multiple of the sentences a batch, so that only its last one can be short.
size_t pool_size(const BatchLimit& limit) {
  if (limit.sentences == 0) return kPool;
  return std::max<int64_t>(1, kPool / limit.sentences) * limit.sentences;
}

}  // namespace

EpochPlan::EpochPlan(const PairIndex& index, const BatchLimit& limit, uint64_t seed, int64_t epoch,
                     const Measure& measure)
    : lengths_(index) {
  choose(index, seed, epoch);
  if (measure) lengths_ = measure(order_);
  RandomStream pairs(stream_key(seed, "pairs", epoch));
  shuffle(order_.begin(), order_.end(), pairs);
  const size_t pool = pool_size(limit);
  for (size_t begin = 0; begin < order_.size(); begin += pool) {
    cut_pool(limit, begin, std::min(order_.size(), begin + pool));
  }
  shuffled_.resize(begins_.size());
  std::iota(shuffled_.begin(), shuffled_.end(), 0U);
  RandomStream batches(stream_key(seed, "batches", epoch));
  shuffle(shuffled_.begin(), shuffled_.end(), batches);
}

void EpochPlan::choose(const PairIndex& index, uint64_t seed, int64_t epoch) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  uint64_t size = 0;
  for (const IndexPart& part : index.parts()) {
    const Quota quota = quota_of(part);
    size += quota.copies * part.count + quota.extra;
  }
  if (size > kMost) {
    throw_error(ErrorKind::kData, "an epoch of {} pairs is too long; lower data.train[…].weight",
                size);
  }
  order_.reserve(size);
  for (const IndexPart& part : index.parts()) {
    const Quota quota = quota_of(part);
    for (uint64_t copy = 0; copy < quota.copies; ++copy) {
      for (PairId i = 0; i < part.count; ++i) order_.push_back(part.first + i);
    }
    for_window(part, quota.extra, seed, epoch, [this](PairId pair) { order_.push_back(pair); });
  }
}

namespace {

// Pairs with similar values stand together: by the length of their row, for the budget, then by how
// much longer the target is than the longest source. Every other length has the second in
// descending order, so that a batch that begins with one length and ends with the next has similar
// pairs of both.
uint64_t place_of(const EpochLengths& lengths, PairId pair) {
  constexpr int64_t kZero = int64_t{1} << 31;
  const size_t target = lengths.sides() - 1;
  int64_t source = 0;
  for (size_t side = 0; side < target; ++side)
    source = std::max(source, lengths.length(pair, side));
  const int64_t row = lengths.row_length(pair), difference = lengths.length(pair, target) - source;
  return static_cast<uint64_t>(row) << 32 |
         static_cast<uint64_t>(kZero + (row % 2 == 0 ? difference : -difference));
}

}  // namespace

void EpochPlan::cut_pool(const BatchLimit& limit, size_t begin, size_t end) {
  // Equal ones are ordered by their position in the shuffled pool, so that no sort has to be stable.
  struct Key {
    uint64_t place;
    uint32_t position;
    PairId pair;
  };
  std::vector<Key> keys;
  keys.reserve(end - begin);
  for (size_t i = begin; i < end; ++i) {
    const PairId pair = order_[i];
    keys.push_back({place_of(lengths_, pair), static_cast<uint32_t>(i), pair});
  }
  std::ranges::sort(keys, [](const Key& a, const Key& b) {
    return a.place != b.place ? a.place < b.place : a.position < b.position;
  });
  int64_t rows = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    order_[begin + i] = keys[i].pair;
    const auto row_length = static_cast<int64_t>(keys[i].place >> 32);
    if (rows == 0 || !limit.allows(rows + 1, row_length)) {
      begins_.push_back(static_cast<uint32_t>(begin + i));
      rows = 0;
    }
    ++rows;
  }
}

std::span<const PairId> EpochPlan::batch(int64_t number) const {
  HEED_CHECK(number >= 0 && number < batches(), "batch {} of {}", number, batches());
  const size_t cut = shuffled_[number];
  const size_t begin = begins_[cut];
  const size_t end = cut + 1 < begins_.size() ? begins_[cut + 1] : order_.size();
  return std::span(order_).subspan(begin, end - begin);
}

size_t EpochPlan::bytes() const {
  return order_.capacity() * sizeof(PairId) +
         (begins_.capacity() + shuffled_.capacity()) * sizeof(uint32_t);
}

}  // namespace heed
