#include "report/attention_map.h"

#include <gmock/gmock.h>

#include <limits>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string refusal(const AttentionMap& map) {
  try {
    check_map(map);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(AttentionMap, RefusesWeightsOfAnotherShape) {
  EXPECT_EQ(refusal({"m", {"a", "b"}, {"x"}, {{0.5, 0.5}}}), "");
  EXPECT_THAT(refusal({"m", {"a", "b"}, {"x"}, {{1}}}),
              HasSubstr("map 'm': row 1 has 1 weights for 2 source tokens"));
  EXPECT_THAT(refusal({"m", {"a"}, {"x", "y"}, {{1}}}),
              HasSubstr("1 rows of weights for 2 target tokens"));
  EXPECT_THAT(refusal({"m", {}, {"x"}, {{}}}), HasSubstr("0 source and 1 target tokens"));
  EXPECT_THAT(refusal({"m", {"a"}, {"x"}, {{std::numeric_limits<double>::quiet_NaN()}}}),
              HasSubstr("finite"));
}

TEST(AttentionMap, ScaleReachesFromZeroToTheHighestWeight) {
  const auto scale = weight_scale({"", {"a", "b"}, {"x"}, {{0.1, 0.4}}});
  EXPECT_EQ(scale.low, 0);
  EXPECT_EQ(scale.high, 0.4);
  EXPECT_DOUBLE_EQ(scale.fraction(0.1), 0.25);
  EXPECT_EQ(scale.fraction(7), 1);
}

TEST(AttentionMap, ScaleBeginsAtNegativeWeights) {
  const auto scale = weight_scale({"", {"a", "b"}, {"x"}, {{-0.5, 0.5}}});
  EXPECT_DOUBLE_EQ(scale.fraction(0), 0.5);
}

TEST(AttentionMap, ScaleOfNoWeightAtAllIsEmpty) {
  const auto scale = weight_scale({"", {"a"}, {"x"}, {{0}}});
  EXPECT_EQ(scale.fraction(0), 0);
}

TEST(AttentionMap, LabelsAreOneHarmlessLine) {
  EXPECT_EQ(label_of("▁Haus", 10), "␣Haus");
  EXPECT_EQ(label_of("", 10), "∅");
  EXPECT_EQ(label_of("  ", 10), "␣␣");
  EXPECT_EQ(label_of("a\x1b[31m\n", 10), "a\uFFFD[31m\uFFFD");
  EXPECT_EQ(label_of("a\xff", 10), "a\uFFFD");
  EXPECT_EQ(label_of("\u202Eabc\u0085", 10), "\uFFFDabc\uFFFD");
}

TEST(AttentionMap, LabelsAreCutByTheirWidth) {
  EXPECT_EQ(label_of("abcdef", 6), "abcdef");
  EXPECT_EQ(label_of("abcdefg", 6), "abcde…");
  EXPECT_EQ(label_of("日本語です", 6), "日本…");
  EXPECT_EQ(label_of("cafe\u0301s are", 5), "cafe\u0301…");
}

TEST(AttentionMap, StrongestIsTheFirstOfTheHighest) { EXPECT_EQ(strongest({0.1, 0.4, 0.4}), 1u); }

}  // namespace
}  // namespace heed
