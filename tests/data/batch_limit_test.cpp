#include "data/batch_limit.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Batches = std::vector<std::vector<size_t>>;

TEST(SortedBatches, PutsSimilarLengthsTogether) {
  EXPECT_EQ(sorted_batches({3, 9, 3, 9, 1}, {.tokens = 0, .sentences = 2}),
            (Batches{{1, 3}, {0, 2}, {4}}));
}

TEST(SortedBatches, HoldsTheBudgetWithTheEnd) {
  // Rows of 4 tokens with the end: two make 8, three would make 12.
  EXPECT_EQ(sorted_batches({3, 3, 3}, {.tokens = 11}), (Batches{{0, 1}, {2}}));
  EXPECT_EQ(sorted_batches({3, 3, 3}, {.tokens = 12}), (Batches{{0, 1, 2}}));
}

TEST(SortedBatches, TakesAnyLength) {
  EXPECT_EQ(sorted_batches({0, 1000, 0}, {.tokens = 10}), (Batches{{1}, {0, 2}}));
  EXPECT_EQ(sorted_batches({}, {.tokens = 10}), Batches());
}

TEST(BatchLimit, AlwaysAllowsOneRow) {
  const BatchLimit limit{.tokens = 10, .sentences = 3};
  EXPECT_TRUE(limit.allows(1, 1000));
  EXPECT_TRUE(limit.allows(2, 5));
  EXPECT_FALSE(limit.allows(2, 6));
  EXPECT_FALSE(limit.allows(4, 1));
}

}  // namespace
}  // namespace heed
