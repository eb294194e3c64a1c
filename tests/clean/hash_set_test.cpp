#include "clean/hash_set.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heed {
namespace {

TEST(HashSet, HoldsWhatWasInsertedAndNothingElse) {
  constexpr uint64_t kCount = 100'000;
  HashSet set;
  EXPECT_FALSE(set.contains(0));
  for (uint64_t i = 0; i < kCount; ++i) set.insert(mix64(i));
  for (uint64_t i = 0; i < kCount; ++i) ASSERT_TRUE(set.contains(mix64(i)));
  for (uint64_t i = kCount; i < 2 * kCount; ++i) ASSERT_FALSE(set.contains(mix64(i)));
  const size_t bytes = set.bytes();
  for (uint64_t i = 0; i < kCount; ++i) set.insert(mix64(i));
  EXPECT_EQ(set.bytes(), bytes);
  EXPECT_LE(bytes, 32 * kCount);
  set.insert(0);
  EXPECT_TRUE(set.contains(0));
}

}  // namespace
}  // namespace heed
