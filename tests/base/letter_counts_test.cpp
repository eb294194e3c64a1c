#include "base/letter_counts.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(LetterCounts, CountsLettersOfEveryScript) {
  const LetterCounts found = letter_counts("Été 3 ΩЖ 犬!");
  EXPECT_EQ(found.capitals, 3u);
  EXPECT_EQ(found.small, 2u);
  EXPECT_EQ(found.others, 1u);
  EXPECT_TRUE(found.first_is_capital);
  EXPECT_TRUE(found.is_cased());
  EXPECT_FALSE(letter_counts("犬がいる ok").is_cased());
  EXPECT_FALSE(letter_counts("123 …").is_cased());
}

TEST(LetterCounts, KnowsTheFirstLetter) {
  EXPECT_TRUE(letter_counts("“3 x Y").first_is_small);
  EXPECT_TRUE(letter_counts("\xFF¿Qué").first_is_capital);
  const LetterCounts other = letter_counts("犬 Abc");
  EXPECT_FALSE(other.first_is_capital || other.first_is_small);
}

}  // namespace
}  // namespace heed
