#include "metric/chrf.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace heed {
namespace {

// "abc" and "abd": 2 of 3 characters, 1 of 2 pairs, 0 of 1 triple, for both precision and recall;
// longer n-grams do not occur. Precision and recall are (2/3 + 1/2 + 0) / 3.
TEST(Chrf, AveragesTheOrdersThatOccur) {
  const auto score = Chrf().score({"abc"}, {{"abd"}});
  EXPECT_NEAR(score.value, 100 * 7.0 / 18, 1e-9);
}

// Precision (1 + 1) / 2, recall (2/4 + 1/3) / 2: characters "ab" of "abcd", orders 1 and 2.
TEST(Chrf, WeighsRecallByBeta) {
  const double precision = 1, recall = 5.0 / 12;
  for (const int64_t beta : {1, 2, 3}) {
    const Chrf chrf({.char_order = 2, .beta = beta});
    const auto square = static_cast<double>(beta * beta);
    EXPECT_NEAR(chrf.score({"ab"}, {{"abcd"}}).value,
                100 * (1 + square) * precision * recall / (square * precision + recall), 1e-9);
  }
}

TEST(Chrf, CountsCharactersNotBytes) {
  EXPECT_THAT(Chrf({.char_order = 2}).statistics("ёж 🦔", {"ёж 🦔"}),
              testing::ElementsAre(3, 3, 3, 2, 2, 2));
}

TEST(Chrf, CountsSpacesOnlyWhereAsked) {
  EXPECT_THAT(Chrf({.char_order = 1}).statistics("a b ", {"a  b"}), testing::ElementsAre(2, 2, 2));
  EXPECT_THAT(Chrf({.char_order = 1, .whitespace = true}).statistics("a b ", {"a  b"}),
              testing::ElementsAre(3, 4, 3));
}

// Words: `(hi ` `)` against `(` `hi`, as the mark at the end goes first.
TEST(Chrf, SeparatesOneMarkFromAWord) {
  EXPECT_THAT(Chrf({.char_order = 0, .word_order = 1}).statistics("(hi) . a", {"(hi . a"}),
              testing::ElementsAre(4, 4, 2));
}

TEST(Chrf, TakesTheReferenceWithTheHighestScore) {
  const Chrf chrf({.char_order = 1});
  EXPECT_THAT(chrf.statistics("abc", {"xyz", "abx", "ayz"}), testing::ElementsAre(3, 3, 2));
}

// An n-gram order that the reference is too short for does not count against the hypothesis.
TEST(Chrf, LeavesOutOrdersWithoutReference) {
  EXPECT_THAT(Chrf({.char_order = 2}).statistics("abc", {"a"}),
              testing::ElementsAre(3, 1, 1, 0, 0, 0));
  EXPECT_EQ(Chrf().score({""}, {{""}}).value, 0);
  EXPECT_EQ(Chrf().score({"a"}, {{""}}).value, 0);
}

TEST(Chrf, IsNamedByBetaAndWords) {
  const std::string version = std::string("|version:heed-") + HEED_VERSION;
  EXPECT_EQ(Chrf().name(), "chrF2");
  EXPECT_EQ(Chrf({.word_order = 2, .beta = 3}).name(), "chrF3++");
  EXPECT_EQ(Chrf().signature(1), "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no" + version);
  EXPECT_EQ(Chrf({4, 2, 2, true, true}).signature(2),
            "nrefs:2|case:lc|eff:yes|nc:4|nw:2|space:yes" + version);
}

TEST(Chrf, RefusesSettingsThatSayNothing) {
  const auto refusal = [](const ChrfOptions& options) -> std::string {
    try {
      Chrf chrf(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({.char_order = 0}), testing::HasSubstr("0 characters and 0 words"));
  EXPECT_THAT(refusal({.char_order = -1, .word_order = 2}), testing::HasSubstr("none below 0"));
  EXPECT_THAT(refusal({.beta = 0}), testing::HasSubstr("beta is 0"));
}

}  // namespace
}  // namespace heed
