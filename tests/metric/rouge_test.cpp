#include "metric/rouge.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "holds.h"
#include "metric/fixtures.h"
#include "metric/longest_common.h"
#include "metric/unicode_words.h"

namespace heed {
namespace {

using testing::ElementsAre;

// Lin 2004, section 3: "police killed the gunman" against two candidates; beta = 1.
TEST(Rouge, FollowsThePapersExamples) {
  const Rouge longest(RougeKind::kLongest), pairs(RougeKind::kBigrams);
  EXPECT_DOUBLE_EQ(longest.score_line("police kill the gunman", {"police killed the gunman"}).value,
                   75);
  EXPECT_DOUBLE_EQ(longest.score_line("the gunman kill police", {"police killed the gunman"}).value,
                   50);
  EXPECT_DOUBLE_EQ(pairs.score_line("police kill the gunman", {"police killed the gunman"}).value,
                   100.0 / 3);
}

// Section 3.2: w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 has the union w1 w2 w3 w5;
// recall 4/5.
TEST(Rouge, SummaryTakesTheUnionOverSentences) {
  const Rouge rouge(RougeKind::kSummary, {.sentence_break = "|"});
  const auto score = rouge.score_line("w1 w2 w6 w7 w8|w1 w3 w8 w9 w5", {"w1 w2 w3 w4 w5"});
  EXPECT_EQ(score.parts[2].first, "recall");
  EXPECT_DOUBLE_EQ(score.parts[2].second, 80);
  EXPECT_DOUBLE_EQ(score.parts[1].second, 40);
}

TEST(Rouge, TakesTheReferenceWithTheHighestF1) {
  const Rouge rouge(RougeKind::kUnigrams);
  EXPECT_DOUBLE_EQ(rouge.score_line("a b", {"x y", "a b", "a"}).value, 100);
}

TEST(Rouge, IsTheMeanOverLines) {
  const Rouge rouge(RougeKind::kUnigrams);
  EXPECT_DOUBLE_EQ(rouge.score({"a b", "x", ""}, {{"a b", "a", ""}}).value, 100.0 / 3);
}

TEST(Rouge, WordsAreRunsOfLettersAndDigits) {
  EXPECT_THAT(rouge_words("Don't stop: 3.14 caf\u00e9s", false),
              ElementsAre("don", "t", "stop", "3", "14", "caf", "s"));
  // The Kelvin sign is k in lower case.
  EXPECT_THAT(rouge_words("\u212aelvin", false), ElementsAre("kelvin"));
  EXPECT_THAT(rouge_words("running was", true), ElementsAre("run", "was"));
}

TEST(UnicodeWords, AreRunsOfLettersOfAnyScript) {
  EXPECT_THAT(unicode_words("Der Ärger, im Café's 3.14€"),
              ElementsAre("der", "ärger", "im", "café", "s", "3", "14"));
  EXPECT_THAT(unicode_words("ΟΔΟΣ Москва"), ElementsAre("οδος", "москва"));
  EXPECT_THAT(unicode_words("हिन्दी में"), ElementsAre("हिन्दी", "में"))
      << "marks belong to their letter";
  EXPECT_THAT(unicode_words("我们GPT4好"), ElementsAre("我", "们", "gpt4", "好"));
  EXPECT_THAT(unicode_words("ที่นี่"), ElementsAre("ที่", "นี่"));
  EXPECT_TRUE(unicode_words(" –,。！ ").empty());
}

TEST(UnicodeWords, AreThoseOfRegex) {
  const auto cases = test::read_cases("unicode_words.json");
  const Lines& lines = test::generated().hypotheses;
  ASSERT_EQ(cases.size(), 200u);
  for (size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(unicode_words(lines[i]), cases[i].get<std::vector<std::string>>()) << lines[i];
}

TEST(UnicodeRouge, EqualsRougeScoreWithATokenizerOfUnicodeWords) {
  holds({"--metric"});
  const auto cases = test::read_cases("unicode_rouge.json");
  ASSERT_EQ(cases.size(), 40u);
  for (const auto& figures : cases) test::expect_figures(test::generated(), figures);
}

TEST(UnicodeRouge, ScoresTextThatRougeCannotRead) {
  const Lines text{"Москва слезам не верит"};
  EXPECT_EQ(make_metric("rouge1")->score(text, {text}).value, 0);
  EXPECT_EQ(make_metric("rouge1-unicode")->score(text, {text}).value, 100);
  EXPECT_EQ(make_metric("rouge1-unicode")->name(), "ROUGE-1-Unicode");
  EXPECT_EQ(make_metric("rougeL-unicode", {.rouge = {.stem = true}})->signature(1),
            std::string("nrefs:1|tok:unicode|version:heed-") + HEED_VERSION);
}

TEST(Rouge, IsDoubtedWhereItsWordsLackManyLetters) {
  const auto caveat = [](const std::string& name, const std::string& line) {
    return make_metric(name)->caveat({}, {{line}});
  };
  for (const std::string& name : members_of("rouge")) {
    EXPECT_NE(caveat(name, "Москва ABC").find("67 % of the letters of the references are others"),
              std::string::npos)
        << caveat(name, "Москва ABC");
    EXPECT_NE(caveat(name, "今日は"), "");
    EXPECT_EQ(caveat(name, "Für die Überprüfung im Frühjahr"), "");
    EXPECT_EQ(caveat(name, ""), "");
    EXPECT_EQ(caveat(name + "-unicode", "Москва"), "");
  }
}

TEST(Rouge, SaysHowItWasMade) {
  const std::string version = std::string("version:heed-") + HEED_VERSION;
  EXPECT_EQ(Rouge(RougeKind::kUnigrams).signature(1), "nrefs:1|stem:no|" + version);
  EXPECT_EQ(Rouge(RougeKind::kSummary, {true, "\t"}).signature(2),
            "nrefs:2|stem:porter|break:tab|" + version);
  EXPECT_THROW(Rouge(RougeKind::kSummary, {false, ""}), Error);
}

TEST(LongestCommon, FindsLengthAndPlaces) {
  EXPECT_EQ(longest_common_length({1, 2, 3, 4, 5}, {2, 9, 4, 5, 1}), 3u);
  EXPECT_THAT(longest_common_positions({1, 2, 3, 4, 5}, {2, 9, 4, 5, 1}), ElementsAre(1, 3, 4));
  EXPECT_EQ(longest_common_length({}, {1}), 0u);
  EXPECT_TRUE(longest_common_positions({1}, {}).empty());
}

}  // namespace
}  // namespace heed
