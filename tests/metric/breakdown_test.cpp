#include "metric/breakdown.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(GroupByLength, CountsWordsAndPunctuation) {
  const Lines lines = {"one two.", "", "1 2 3 4 5 6 7 8 9 10", "a b c d e f g h (i)",
                       "x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x "
                       "x x x x x x x x x x x x x x x x x x x x x x x x"};
  const auto groups = group_by_length(lines);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].name, "0-9");
  EXPECT_EQ(groups[0].lines, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(groups[1].name, "10-19");
  EXPECT_EQ(groups[1].lines, (std::vector<size_t>{2, 3})) << "brackets are words";
  EXPECT_EQ(groups[2].name, "60+");
  EXPECT_EQ(groups[2].lines, (std::vector<size_t>{4}));
}

// Counted by hand.
TEST(WordF1, IsThatOfEachFrequency) {
  WordCounts counts;
  for (int i = 0; i < 12; ++i) count_words("the", counts);
  for (int i = 0; i < 5; ++i) count_words("dog", counts);
  count_words("cat", counts);
  const Lines references = {"the the dog sleeps", "the cat"},
              hypotheses = {"the dog dog barks", "the cat cat"};
  const auto groups = f1_by_frequency(hypotheses, references, counts);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].name, "0");
  EXPECT_EQ(groups[0].words, 1) << "sleeps";
  EXPECT_EQ(groups[0].f1, 0);
  EXPECT_EQ(groups[1].name, "1");
  EXPECT_EQ(groups[1].words, 1);
  EXPECT_NEAR(groups[1].f1, 100 * 2.0 * 1 / (1 + 2), 1e-9) << "cat: 1 of 2 and of 1";
  EXPECT_EQ(groups[2].name, "5-9");
  EXPECT_NEAR(groups[2].f1, 100 * 2.0 * 1 / (1 + 2), 1e-9) << "dog: 1 of 2 and of 1";
  EXPECT_EQ(groups[3].name, "10-99");
  EXPECT_EQ(groups[3].words, 3);
  EXPECT_NEAR(groups[3].f1, 100 * 2.0 * 2 / (2 + 3), 1e-9) << "the: 2 of 2 and of 3";
}

// "(i)" is one word or three, "我们" two characters.
TEST(WordSplit, IsOfAnyTokenizerOfBleu) {
  EXPECT_EQ(WordSplit().words("A (i) 我们"),
            (std::vector<std::string>{"A", "(", "i", ")", "我们"}));
  EXPECT_EQ((WordSplit{"none", {true}}.words("A (i) 我们")),
            (std::vector<std::string>{"a", "(i)", "我们"}));
  EXPECT_EQ(WordSplit{"zh"}.words("我们"), (std::vector<std::string>{"我", "们"}));
  EXPECT_EQ(WordSplit().signature(), "case:mixed|tok:13a");
  EXPECT_EQ((WordSplit{"none", {true}}.signature()), "case:lc|tok:none");
  const Lines lines = {"我们今天去学校看书吗"};
  EXPECT_EQ(group_by_length(lines)[0].name, "0-9");
  EXPECT_EQ(group_by_length(lines, {"char"})[0].name, "10-19");
  const auto groups = f1_by_frequency({"(a)"}, {"(b)"}, {}, {"none"});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].words, 1);
  EXPECT_EQ(groups[0].f1, 0);
  EXPECT_NEAR(f1_by_frequency({"(a)"}, {"(b)"}, {})[0].f1, 100 * 2.0 * 2 / (3 + 3), 1e-9);
}

TEST(WordF1, OfTheReferenceIsWhole) {
  const Lines lines = {"a b c a", "d, e"};
  WordCounts counts;
  for (const std::string& line : lines) count_words(line, counts);
  for (const WordGroup& group : f1_by_frequency(lines, lines, counts)) EXPECT_EQ(group.f1, 100);
}

}  // namespace
}  // namespace heed
