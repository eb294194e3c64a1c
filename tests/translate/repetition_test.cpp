#include "translate/repetition.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace heed {
namespace {

int64_t found(const std::string& source, const std::string& target) {
  return find_repetition(split_words(source), split_words(target), false).count;
}

TEST(Repetition, IsARunOfFourWordsThreeTimes) {
  EXPECT_EQ(found("ein Haus", "a house is a house is a house is a house"), 3);
  EXPECT_EQ(found("ein Haus", "the the the the the the"), 3) << "runs may overlap";
  EXPECT_EQ(found("ein Haus", "the the the the the"), 0);
  EXPECT_EQ(found("ein Haus", "a house is a house is a house"), 0);
  EXPECT_EQ(found("ein Haus", ""), 0);
  const Repetition whole = find_repetition({}, split_words("a b c d a b c d a b c d"), false);
  EXPECT_EQ(whole.words, "a b c d");
  EXPECT_EQ(whole.count, 3);
}

TEST(Repetition, IsNoneWhereTheSourceRepeatsAsMuch) {
  EXPECT_EQ(found("x x x x x x", "a a a a a a"), 0);
  EXPECT_EQ(found("x x x x x", "a a a a a a"), 3);
}

// A quarter of the words.
TEST(Repetition, IsMuchOfTheTarget) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += "a b c d ";
    for (int k = 0; k < 12; ++k) text += "w" + std::to_string(i * 100 + k) + " ";
  }
  EXPECT_EQ(found("x", text), 3);
  EXPECT_EQ(found("x", text + "z"), 0);
}

TEST(Repetition, IsARunOfEightCharactersWithoutSpaces) {
  const std::vector<std::string> characters(10, "好");
  EXPECT_EQ(find_repetition({}, characters, true).count, 3);
  EXPECT_EQ(find_repetition({}, {characters.begin(), characters.end() - 1}, true).count, 0);
}

TEST(CharacterRun, IsLongAndMuchOfTheTarget) {
  const auto run = [](const std::string& source, const std::string& target) {
    return find_character_run(source, target).count;
  };
  EXPECT_EQ(run("x", "aaaaaaaaaa"), 10);
  EXPECT_EQ(run("x", "aaaaaaaaa"), 0);
  EXPECT_EQ(run("x", "ああああああああああ b"), 10);
  EXPECT_EQ(run("xxxxxxxxxx", "aaaaaaaaaa"), 0) << "as in the source";
  EXPECT_EQ(run("x", "          "), 0) << "spaces";
  EXPECT_EQ(run("x", std::string(10, 'a') + std::string(15, 'b') + std::string(16, 'c')), 16);
  std::string text = "aaaaaaaaaa";
  for (int i = 0; i < 15; ++i) text += "bc";
  EXPECT_EQ(run("x", text), 10);
  EXPECT_EQ(run("x", text + "b"), 0) << "less than a quarter";
  EXPECT_EQ(find_character_run("x", "—————————————").words, "—");
}

}  // namespace
}  // namespace heed
