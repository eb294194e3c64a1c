#include "metric/ter.h"

#include <gmock/gmock.h>

#include "metric/shifted_edits.h"
#include "metric/words.h"

namespace heed {
namespace {

std::vector<std::string> words(const std::string& line, const TercomOptions& options) {
  const std::string text = tokenize_tercom(line, options);
  std::vector<std::string> result;
  for (const auto word : words_of(text)) result.emplace_back(word);
  return result;
}

// Words moved: one shift, whatever their number (Snover et al. 2006, section 3).
TEST(ShiftedEdits, AShiftIsOneEdit) {
  EXPECT_EQ(shifted_edits({4, 5, 1, 2, 3}, {1, 2, 3, 4, 5}), 1u);
  EXPECT_EQ(shifted_edits({1, 2, 9, 6, 7, 3}, {1, 2, 3, 9, 6, 7}), 1u);
  EXPECT_EQ(shifted_edits({1, 2, 3}, {1, 2, 3}), 0u);
}

// Their example: "this week the saudis denied information published in the new york times" against
// "saudi arabia denied this week information published in the american new york times": one shift, two
// replaced, one inserted.
TEST(ShiftedEdits, OfThePapersExampleAreFour) {
  const TranslationEditRate ter;
  const auto score = ter.score(
      {"this week the saudis denied information published in the new york times"},
      {{"saudi arabia denied this week information published in the american new york times"}});
  EXPECT_NEAR(score.value, 100 * 4.0 / 13, 1e-9);
}

TEST(ShiftedEdits, WithoutMatchesAreThoseOfLevenshtein) {
  EXPECT_EQ(shifted_edits({1, 2, 3}, {4, 5}), 3u);
  EXPECT_EQ(shifted_edits({}, {4, 5}), 2u);
  EXPECT_EQ(shifted_edits({1, 2, 3}, {}), 3u);
  EXPECT_EQ(shifted_edits({}, {}), 0u);
  EXPECT_EQ(shifted_edits({1, 1, 1, 1}, {1}), 3u);
}

// Words of one sentence that stand more than 50 positions apart are not shifted: they are deleted and
// inserted.
TEST(ShiftedEdits, StayNear) {
  const auto edits = [](size_t between) {
    std::vector<uint32_t> moved, wanted{1};
    for (size_t i = 0; i < between; ++i) {
      moved.push_back(static_cast<uint32_t>(100 + i));
      wanted.push_back(moved.back());
    }
    moved.push_back(1);
    return shifted_edits(moved, wanted);
  };
  EXPECT_EQ(edits(50), 1u);
  EXPECT_EQ(edits(51), 2u);
}

TEST(Ter, DividesByTheMeanLengthOfTheReferences) {
  const auto score = TranslationEditRate().score({"a b c"}, {{"a b"}, {"x y z v"}});
  EXPECT_NEAR(score.value, 100 * 1.0 / 3, 1e-9);
}

TEST(Ter, IsAtMost100WithoutReferenceWords) {
  EXPECT_EQ(TranslationEditRate().score({"a b"}, {{""}}).value, 100);
  EXPECT_EQ(TranslationEditRate().score({""}, {{""}}).value, 0);
  EXPECT_FALSE(TranslationEditRate().higher_is_better());
}

TEST(Ter, PrintsTheSignatureOfEverySetting) {
  const std::string version = std::string("|version:heed-") + HEED_VERSION;
  EXPECT_EQ(TranslationEditRate().signature(1),
            "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no" + version);
  EXPECT_EQ(TranslationEditRate({true, true, true, true}).signature(2),
            "nrefs:2|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes" + version);
}

TEST(Tercom, SplitsWordsAsAsked) {
  using testing::ElementsAre;
  const std::string line = "The dog's 1,000-year &quot;Bone&quot;, 3.";
  EXPECT_THAT(words(line, {}),
              ElementsAre("the", "dog's", "1,000-year", "&quot;bone&quot;,", "3."));
  EXPECT_THAT(
      words(line, {.normalized = true, .case_sensitive = true}),
      ElementsAre("The", "dog", "'s", "1,000", "-", "year", "\"", "Bone", "\"", ",", "3", "."));
  EXPECT_THAT(words(line, {.no_punctuation = true}),
              ElementsAre("the", "dog's", "1000-year", "&quotbone&quot", "3"));
  EXPECT_THAT(words("我们，hi。", {.normalized = true, .asian_support = true}),
              ElementsAre("我", "们", "，", "hi", "。"));
  EXPECT_THAT(words("我们，hi。", {.no_punctuation = true, .asian_support = true}),
              ElementsAre("我们hi"));
}

}  // namespace
}  // namespace heed
