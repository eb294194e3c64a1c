#include "serve/memory_budget.h"

#include <gtest/gtest.h>

#include <optional>

namespace heed {
namespace {

TEST(MemoryBudget, IsSharedByAllHolders) {
  MemoryBudget budget(100);
  std::optional<MemoryShare> first(std::in_place, budget, 100), second(std::in_place, budget, 100);
  EXPECT_TRUE(first->take(60));
  EXPECT_FALSE(second->take(41));
  EXPECT_TRUE(second->take(40));
  first->give_back(10);
  EXPECT_TRUE(second->take(10));
  EXPECT_EQ(budget.used(), 100);
  second.reset();
  EXPECT_EQ(budget.used(), 50);
  first.reset();
  EXPECT_EQ(budget.used(), 0);
}

TEST(MemoryBudget, AHolderMayHaveAPartOfIt) {
  MemoryBudget budget(100);
  MemoryShare own(budget, 30), all(budget, 100, 0.5);
  EXPECT_FALSE(own.take(31));
  EXPECT_TRUE(own.take(30));
  EXPECT_FALSE(all.take(21));  // 51 with the other
  EXPECT_TRUE(all.take(20));
  EXPECT_EQ(own.most(), 30);
  EXPECT_EQ(all.most(), 50);
}

}  // namespace
}  // namespace heed
