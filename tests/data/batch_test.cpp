#include "data/batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "batch_of.h"

namespace heed {
namespace {

std::vector<Example> examples(size_t count, uint64_t seed) {
  RandomStream random(seed);
  std::vector<Example> all(count);
  for (size_t i = 0; i < count; ++i) {
    all[i].index = static_cast<int64_t>(i);
    all[i].sources = {Ids(random.below(30), 5)};
    all[i].target = Ids(random.below(30), 5);
  }
  return all;
}

std::vector<Shard> shards_of(const std::vector<Example>& all, int64_t workers) {
  return batch_of(all, {.workers = workers}).shards;
}

int64_t cost(const std::vector<Example>& shard) {
  size_t tokens = 0;
  for (const Example& example : shard) {
    tokens += example.sources[0].size() + example.target.size() + 2;
  }
  return static_cast<int64_t>(tokens);
}

TEST(Shares, LoseNothingAndWeighAlike) {
  for (const int64_t workers : {2, 3, 5}) {
    const auto all = examples(64, 7);
    const auto shards = shards_of(all, workers);
    ASSERT_EQ(shards.size(), static_cast<size_t>(workers));
    std::vector<int64_t> indexes;
    for (const auto& shard : shards) {
      EXPECT_NEAR(static_cast<double>(cost(shard.examples)),
                  static_cast<double>(cost(all)) / static_cast<double>(workers), 62);
      for (const Example& example : shard.examples) indexes.push_back(example.index);
    }
    std::sort(indexes.begin(), indexes.end());
    for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(indexes[i], static_cast<int64_t>(i));
  }
}

TEST(Shares, AreTheSameEveryTime) {
  const auto one = shards_of(examples(40, 3), 3), two = shards_of(examples(40, 3), 3);
  for (size_t s = 0; s < one.size(); ++s) {
    ASSERT_EQ(one[s].rows.size(), two[s].rows.size());
    for (size_t i = 0; i < one[s].rows.size(); ++i)
      EXPECT_EQ(one[s].examples[i].index, two[s].examples[i].index);
  }
}

TEST(Shares, AreFewerThanWorkersWhereSentencesAre) {
  EXPECT_EQ(shards_of(examples(1, 1), 4).size(), 1u);
  EXPECT_LE(shards_of(examples(3, 1), 4).size(), 3u);
  for (const auto& shard : shards_of(examples(3, 1), 4)) EXPECT_FALSE(shard.examples.empty());
}

TEST(Shares, CarryTheNumbersOfTheirRows) {
  for (const int64_t workers : {1, 3}) {
    for (const auto& shard : shards_of(examples(20, 3), workers)) {
      ASSERT_EQ(shard.rows.size(), shard.examples.size());
      for (size_t i = 0; i < shard.rows.size(); ++i) {
        EXPECT_EQ(shard.rows[i], shard.examples[i].index);
      }
    }
  }
}

TEST(Shares, OfOneWorkerAreTheBatchAsItIs) {
  const auto shards = shards_of(examples(5, 1), 1);
  ASSERT_EQ(shards.size(), 1u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(shards[0].examples[i].index, static_cast<int64_t>(i));
}

// p processes of w workers have the shards of p·w workers, and all know the sums over all.
TEST(Shares, OfSeveralProcessesAreThoseOfAsManyWorkers) {
  for (const size_t sentences : {1, 4, 50}) {
    const auto all = examples(sentences, 9);
    const Batch whole = batch_of(all, {.workers = 6});
    std::vector<Shard> joined;
    for (int64_t rank = 0; rank < 3; ++rank) {
      const Batch own = batch_of(all, {.workers = 2, .rank = rank, .processes = 3});
      EXPECT_LE(own.shards.size(), 2U);
      EXPECT_EQ(own.tokens, whole.tokens);
      EXPECT_EQ(own.sentences, std::ssize(all));
      joined.insert(joined.end(), own.shards.begin(), own.shards.end());
    }
    ASSERT_EQ(joined.size(), whole.shards.size());
    for (size_t i = 0; i < joined.size(); ++i) EXPECT_EQ(joined[i].rows, whole.shards[i].rows);
  }
}

TEST(Shares, TogetherAreTheBatch) {
  const auto all = examples(20, 4);
  const auto again = examples_of(batch_of(all, {.workers = 3}));
  ASSERT_EQ(again.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(again[i].index, all[i].index);
}

}  // namespace
}  // namespace heed
