#include "data/epoch_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "../base/temporary_folder.h"
#include "base/random.h"
#include "data/pair_index_builder.h"
#include "data/permutation.h"
#include "holds.h"

namespace heed {
namespace {

// Index of parts with this number of pairs and this weight each, and pseudo-random lengths of 1 …
// 40.
PairIndex some_index(const std::vector<std::pair<int, double>>& parts) {
  int64_t size = 0;
  for (const auto& [count, weight] : parts) size += count;
  PairIndexBuilder index(2, size);
  uint64_t n = 0;
  for (const auto& [count, weight] : parts) {
    index.begin_part(weight);
    for (int i = 0; i < count; ++i, ++n) {
      const int64_t source = 1 + static_cast<int64_t>(mix64(n) % 40);
      const int64_t target = std::clamp<int64_t>(source + static_cast<int64_t>(n % 7) - 3, 1, 40);
      const std::array<uint64_t, 2> offsets = {n * 100, n * 90};
      const std::array<int64_t, 2> lengths = {source, target};
      index.append(i, offsets, lengths);
    }
  }
  return index.finish();
}

std::map<PairId, int> counts(const EpochPlan& plan) {
  std::map<PairId, int> counts;
  for (int64_t b = 0; b < plan.batches(); ++b) {
    for (const PairId pair : plan.batch(b)) ++counts[pair];
  }
  return counts;
}

std::vector<PairId> flat(const EpochPlan& plan) {
  std::vector<PairId> all;
  for (int64_t b = 0; b < plan.batches(); ++b) {
    all.insert(all.end(), plan.batch(b).begin(), plan.batch(b).end());
  }
  return all;
}

TEST(EpochPlan, HasEveryPairOnce) {
  const PairIndex index = some_index({{40'000, 1}});
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    const auto found = counts(EpochPlan(index, {.tokens = 1000}, 7, epoch));
    EXPECT_EQ(found.size(), 40'000U);
    EXPECT_TRUE(std::ranges::all_of(found, [](const auto& entry) { return entry.second == 1; }));
  }
}

TEST(EpochPlan, HoldsTheBudgetAndUsesIt) {
  holds({"train.batch.tokens"});
  const PairIndex index = some_index({{40'000, 1}});
  const EpochPlan plan(index, {.tokens = 1000}, 7, 0);
  int64_t padded = 0, real = 0;
  for (int64_t b = 0; b < plan.batches(); ++b) {
    int64_t longest = 0;
    for (const PairId pair : plan.batch(b)) {
      const int64_t row = std::max(index.length(pair, 0), index.length(pair, 1)) + 1;
      longest = std::max(longest, row);
      real += row;
    }
    const auto size = longest * static_cast<int64_t>(plan.batch(b).size());
    EXPECT_LE(size, 1000);
    padded += size;
  }
  // Similar lengths are batched together: hardly any padding, and batches that are nearly full.
  EXPECT_LT(padded, real * 1.02);
  EXPECT_GT(padded, plan.batches() * 950);
}

// Positions of both sides, of lengths that differ by up to six: 1.046 times the tokens if pairs are
// sorted by the longer side and the target.
TEST(EpochPlan, PadsNeitherSideMuch) {
  constexpr int64_t kPairs = 40'000;
  PairIndexBuilder builder(2, kPairs);
  builder.begin_part(1);
  RandomStream random(3);
  for (int64_t i = 0; i < kPairs; ++i) {
    const auto source = static_cast<int64_t>(5 + random.below(36));
    const std::array<uint64_t, 2> offsets = {0, 0};
    const std::array<int64_t, 2> lengths = {
        source, std::max<int64_t>(1, source + static_cast<int64_t>(random.below(13)) - 6)};
    builder.append(i, offsets, lengths);
  }
  const PairIndex index = builder.finish();
  const EpochPlan plan(index, {.tokens = 1000}, 7, 0);
  int64_t padded = 0, real = 0;
  for (int64_t b = 0; b < plan.batches(); ++b) {
    for (const size_t side : {0, 1}) {
      int64_t longest = 0;
      for (const PairId pair : plan.batch(b)) {
        longest = std::max(longest, index.length(pair, side) + 1);
        real += index.length(pair, side) + 1;
      }
      padded += longest * static_cast<int64_t>(plan.batch(b).size());
    }
  }
  EXPECT_LT(padded, real * 1.02);
}

TEST(EpochPlan, CutsBySentences) {
  holds({"train.batch.sentences"});
  const PairIndex index = some_index({{40'010, 1}});
  const EpochPlan plan(index, {.tokens = 0, .sentences = 100}, 7, 0);
  EXPECT_EQ(plan.batches(), 401);
  int64_t short_ones = 0;
  for (int64_t b = 0; b < plan.batches(); ++b) short_ones += plan.batch(b).size() != 100;
  EXPECT_EQ(short_ones, 1);
}

TEST(EpochPlan, GivesALongPairABatchOfItsOwn) {
  holds({"train.batch.tokens"});
  PairIndexBuilder builder(2, 3);
  builder.begin_part(1);
  const std::array<uint64_t, 2> offsets = {0, 0};
  for (const std::array<int64_t, 2> lengths : {std::array<int64_t, 2>{3, 3}, {500, 2}, {2, 2}}) {
    builder.append(0, offsets, lengths);
  }
  const PairIndex index = builder.finish();
  const EpochPlan plan(index, {.tokens = 100}, 1, 0);
  ASSERT_EQ(plan.batches(), 2);
  std::multiset<size_t> sizes = {plan.batch(0).size(), plan.batch(1).size()};
  EXPECT_EQ(sizes, (std::multiset<size_t>{1, 2}));
}

TEST(EpochPlan, IsAPureFunctionOfSeedAndEpoch) {
  holds({"seed"});
  const PairIndex index = some_index({{5000, 1}, {300, 0.5}});
  const BatchLimit limit{.tokens = 500};
  EXPECT_EQ(flat(EpochPlan(index, limit, 1, 3)), flat(EpochPlan(index, limit, 1, 3)));
  EXPECT_NE(flat(EpochPlan(index, limit, 1, 3)), flat(EpochPlan(index, limit, 1, 4)));
  EXPECT_NE(flat(EpochPlan(index, limit, 1, 3)), flat(EpochPlan(index, limit, 2, 3)));
}

TEST(EpochPlan, MixesNeighboursAnewEachEpoch) {
  const PairIndex index = some_index({{40'000, 1}});
  const auto batch_mates = [&index](int64_t epoch) {
    std::map<PairId, std::set<PairId>> mates;
    const EpochPlan plan(index, {.tokens = 0, .sentences = 64}, 1, epoch);
    for (int64_t b = 0; b < plan.batches(); ++b) {
      for (const PairId pair : plan.batch(b))
        mates[pair] = {plan.batch(b).begin(), plan.batch(b).end()};
    }
    return mates;
  };
  auto first = batch_mates(0), second = batch_mates(1);
  size_t kept = 0;
  for (PairId pair = 0; pair < 1000; ++pair) {
    for (const PairId mate : first[pair]) kept += mate != pair && second[pair].contains(mate);
  }
  EXPECT_LT(kept, 1000U * 63 / 2);
}

TEST(EpochPlan, LengthsComeInRandomOrder) {
  const PairIndex index = some_index({{40'000, 1}});
  const EpochPlan plan(index, {.tokens = 1000}, 7, 0);
  // Both halves of the batches have about the same mean row length.
  std::array<double, 2> sums = {0, 0};
  const int64_t half = plan.batches() / 2;
  for (int64_t b = 0; b < 2 * half; ++b) {
    sums[b / half] += static_cast<double>(index.row_length(plan.batch(b)[0]));
  }
  EXPECT_NEAR(sums[0] / sums[1], 1, 0.1);
}

TEST(EpochPlan, WeightsRepeatAndSelect) {
  holds({"data.train[].weight"});
  const PairIndex index = some_index({{100, 2}, {100, 0.5}, {100, 1.25}, {3, 0.0001}});
  const auto found = counts(EpochPlan(index, {.tokens = 500}, 1, 0));
  int64_t halves = 0, quarters = 0, least = 0;
  for (const auto& [pair, count] : found) {
    if (pair < 100) {
      EXPECT_EQ(count, 2);
    } else if (pair < 200) {
      EXPECT_EQ(count, 1);
      ++halves;
    } else if (pair < 300) {
      quarters += count;
      EXPECT_LE(count, 2);
    } else {
      ++least;
    }
  }
  EXPECT_EQ(halves, 50);
  EXPECT_EQ(quarters, 125);
  EXPECT_EQ(least, 1);
}

TEST(EpochPlan, FractionsGoThroughAll) {
  holds({"data.train[].weight"});
  const PairIndex index = some_index({{90, 1.0 / 3}});
  std::map<PairId, int> total;
  for (int64_t epoch = 5; epoch < 8; ++epoch) {
    for (const auto& [pair, count] : counts(EpochPlan(index, {.tokens = 500}, 1, epoch))) {
      total[pair] += count;
    }
  }
  EXPECT_EQ(total.size(), 90U);
  EXPECT_TRUE(std::ranges::all_of(total, [](const auto& entry) { return entry.second == 1; }));
}

// Index and order take at most 30 bytes a pair. Two plans may exist at once, when an epoch ends
// while the next one is being prepared.
TEST(EpochPlan, IndexAndOrderTakeAtMostThirtyBytesAPair) {
  const PairIndex index = some_index({{1'000'000, 1}});
  const EpochPlan plan(index, {.tokens = 4096}, 1, 0);
  EXPECT_EQ(index.size(), 1'000'000);
  EXPECT_LE(index.bytes(), 18U * 1'000'000 + 1000);
  EXPECT_LE(index.bytes() + 2 * plan.bytes(), 30U * 1'000'000);
}

TEST(PairIndex, KeepsLargeOffsets) {
  PairIndexBuilder builder(2, 1);
  builder.begin_part(1);
  const std::array<uint64_t, 2> offsets = {(uint64_t{1} << 40) - 1, uint64_t{1} << 32};
  const std::array<int64_t, 2> lengths = {65'535, 0};
  builder.append(4'294'967'295, offsets, lengths);
  const PairIndex index = builder.finish();
  EXPECT_EQ(index.offset(0, 0), offsets[0]);
  EXPECT_EQ(index.offset(0, 1), offsets[1]);
  EXPECT_EQ(index.length(0, 0), 65'535);
  EXPECT_EQ(index.line(0), 4'294'967'295);
  EXPECT_ERROR(PairIndexBuilder(2, int64_t{1} << 32), ErrorKind::kData, "too many");
}

TEST(Permutation, HitsEachOnce) {
  for (const uint64_t size : {1, 2, 3, 4, 5, 100, 1000, 4097}) {
    const Permutation permutation(size, size * 31);
    std::vector<bool> hit(size, false);
    uint64_t fixed = 0;
    for (uint64_t i = 0; i < size; ++i) {
      ASSERT_LT(permutation(i), size);
      EXPECT_FALSE(hit[permutation(i)]);
      hit[permutation(i)] = true;
      fixed += permutation(i) == i;
    }
    // A random permutation has one fixed point on average.
    if (size >= 100) {
      EXPECT_LT(fixed, 10U);
    }
  }
}

}  // namespace
}  // namespace heed
