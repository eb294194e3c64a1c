// Expected figures are calculated by hand from the definitions of the papers.
#include "metric/latency.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "metric/resampling.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr double kExactly = 1e-12;

const Latency& al() {
  static const Latency metric("AL", average_lagging);
  return metric;
}
const Latency& dal() {
  static const Latency metric("DAL", differentiable_average_lagging);
  return metric;
}

// |x| = |y| = 4, k = 2: g = 2 3 4 4, τ = 3. AL = ((2 - 0) + (3 - 1) + (4 - 2)) / 3 = 2.
// g' = 2 3 4 5: DAL = (2 + 2 + 2 + 2) / 4 = 2. With equal lengths wait-k lags k words behind.
TEST(Latency, OfWaitKWithEqualLengthsIsK) {
  EXPECT_NEAR(average_lagging({4, {2, 3, 4, 4}}), 2, kExactly);
  EXPECT_NEAR(differentiable_average_lagging({4, {2, 3, 4, 4}}), 2, kExactly);
  EXPECT_NEAR(average_lagging({5, {1, 2, 3, 4, 5}}), 1, kExactly);
  EXPECT_NEAR(differentiable_average_lagging({5, {1, 2, 3, 4, 5}}), 1, kExactly);
}

// The whole source is read first: τ = 1, AL = |x|. g' grows by 1/r, so DAL = |x|, too.
TEST(Latency, OfWholeSentencesIsTheirLength) {
  for (const std::vector<double>& read :
       {std::vector<double>{6, 6, 6}, {6, 6, 6, 6, 6, 6}, {6, 6, 6, 6, 6, 6, 6, 6}, {6}}) {
    EXPECT_NEAR(average_lagging({6, read}), 6, kExactly);
    EXPECT_NEAR(differentiable_average_lagging({6, read}), 6, kExactly);
  }
}

// |x| = 3, |y| = 6, 1/r = 1/2, k = 1: g = 1 2 3 3 3 3, τ = 3.
// AL = (1 + (2 - 1/2) + (3 - 1)) / 3 = 3/2.
// g' = 1 2 3 7/2 4 9/2, g' - (t - 1)/2 = 1 3/2 2 2 2 2: DAL = 21/2 / 6 = 7/4.
TEST(Latency, OfALongTarget) {
  const Delays delays{3, {1, 2, 3, 3, 3, 3}};
  EXPECT_NEAR(average_lagging(delays), 1.5, kExactly);
  EXPECT_NEAR(differentiable_average_lagging(delays), 1.75, kExactly);
}

// |x| = 6, |y| = 3, 1/r = 2, k = 2: g = 2 3 4; the source is never read to its end, τ = |y|.
// AL = (2 + (3 - 2) + (4 - 4)) / 3 = 1. g' = 2 4 6: DAL = (2 + 2 + 2) / 3 = 2.
TEST(Latency, OfATargetThatEndsFirst) {
  const Delays delays{6, {2, 3, 4}};
  EXPECT_NEAR(average_lagging(delays), 1, kExactly);
  EXPECT_NEAR(differentiable_average_lagging(delays), 2, kExactly);
}

// |x| = |y| = 4, g = 1 1 4 4: τ = 3, AL = (1 + 0 + 2) / 3 = 1.
// g' = 1 2 4 5: DAL = (1 + 1 + 2 + 2) / 4 = 3/2. The delay of the third word stays.
TEST(Latency, OfAnUnevenPolicy) {
  const Delays delays{4, {1, 1, 4, 4}};
  EXPECT_NEAR(average_lagging(delays), 1, kExactly);
  EXPECT_NEAR(differentiable_average_lagging(delays), 1.5, kExactly);
}

// Lines of 2 and 6; one without tokens, of which there is no delay.
TEST(Latency, OfACorpusIsTheMeanOfItsLines) {
  const Lines lines{R"({"line": 1, "source_length": 4, "delays": [2, 3, 4, 4]})",
                    R"({"source_length": 6, "delays": [6, 6], "prediction": "a b"})",
                    R"({"source_length": 6, "delays": []})"};
  const Score score = al().score(lines, {Lines{"", "", ""}});
  EXPECT_NEAR(score.value, 4, kExactly);
  EXPECT_EQ(score.details, "(lines = 2)");
  EXPECT_FALSE(al().higher_is_better());
  EXPECT_NEAR(dal().score(lines, {Lines{"", "", ""}}).value, 4, kExactly);
  EXPECT_EQ(al().score_line(lines[2], {""}).value, 0);
}

// References are not used, and the samples of a bootstrap are of lines.
TEST(Latency, CanBeResampled) {
  EXPECT_EQ(resampled_signature(al().signature(2), "bs", {.samples = 7, .seed = 3}),
            "nrefs:0|bs:7|seed:3|version:heed-" HEED_VERSION);
  const Lines lines(5, R"({"source_length": 4, "delays": [2, 3, 4, 4]})");
  const auto statistics = al().line_statistics(lines, {Lines(5)});
  for (const double score : bootstrap_scores(al(), statistics, {.samples = 7, .seed = 3}))
    EXPECT_NEAR(score, 2, kExactly);
}

TEST(Latency, OfAnEmptySourceIsZero) {
  EXPECT_EQ(average_lagging({0, {0, 0}}), 0);
  EXPECT_EQ(differentiable_average_lagging({0, {0, 0}}), 0);
}

TEST(Latency, SaysWhatIsWrongWithALine) {
  for (const auto& [line, reason] :
       {std::pair{"2 3 4", "found no JSON object"},
        {"[2, 3]", "found no JSON object"},
        {"{\"delays\": [1]}", "'source_length' is missing"},
        {"{\"source_length\": 4}", "'delays' is missing"},
        {"{\"source_length\": \"4\", \"delays\": [1]}", "source_length is not a number"},
        {"{\"source_length\": 4, \"delays\": 2}", "delays are not a list of numbers"},
        {"{\"source_length\": 4, \"delays\": [-1]}", "delays are not a list of numbers"},
        {"{\"source_length\": 4, \"delays\": [3, 2]}", "less than the one before it"}}) {
    EXPECT_THAT(al().fault_of(line, LineRole::kHypothesis), HasSubstr(reason)) << line;
    EXPECT_THROW(al().statistics(line, {""}), Error) << line;
  }
  EXPECT_EQ(al().fault_of("a reference", LineRole::kReference), "");
}

}  // namespace
}  // namespace heed
