#include "base/letter_case.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(LetterCase, CountsLettersOfEveryScript) {
  const LetterCase found = letter_case("Été 3 ΩЖ 犬!");
  EXPECT_EQ(found.capitals, 3u);
  EXPECT_EQ(found.small, 2u);
  EXPECT_EQ(found.others, 1u);
  EXPECT_TRUE(found.first_is_capital);
  EXPECT_TRUE(found.is_cased());
  EXPECT_FALSE(letter_case("犬がいる ok").is_cased());
  EXPECT_FALSE(letter_case("123 …").is_cased());
}

TEST(LetterCase, KnowsTheFirstLetter) {
  EXPECT_TRUE(letter_case("“3 x Y").first_is_small);
  EXPECT_TRUE(letter_case("\xFF¿Qué").first_is_capital);
  const LetterCase other = letter_case("犬 Abc");
  EXPECT_FALSE(other.first_is_capital || other.first_is_small);
}

}  // namespace
}  // namespace heed
