#include "metric/resampling.h"

#include <gtest/gtest.h>

#include "metric/comparison.h"
#include "metric/fixtures.h"
#include "metric/numpy_generator.h"
#include "metric/perturb.h"

namespace heed {
namespace {

TEST(NumpyGenerator, DrawsWhatNumpyDraws) {
  for (const auto& figures : test::read_cases("random_numbers.json")) {
    NumpyGenerator random(figures["seed"]);
    const uint32_t bound = figures["bound"];  // 0: coins
    for (const uint32_t value : figures["values"])
      ASSERT_EQ(bound == 0 ? random.random_bit() : random.below(bound), value) << figures;
  }
}

TEST(ConfidenceInterval, LeavesAFortiethOutOnEitherSide) {
  std::vector<double> scores;
  for (int i = 80; i >= 1; --i) scores.push_back(i);
  const auto interval = confidence_interval(scores);
  EXPECT_DOUBLE_EQ(interval.mean, 40.5);
  EXPECT_DOUBLE_EQ(interval.half_width, (78 - 3) / 2.0);
}

// The differences 1, 3 and 5 around their mean 3 are -2, 0 and 2.
TEST(BootstrapTest, CountsWhatIsAsLargeAsTheDifference) {
  const auto exact = make_metric("exact"), bleu = make_metric("bleu");
  EXPECT_DOUBLE_EQ(bootstrap_p_value(*exact, {10, 10, 10}, {11, 13, 5}, 1.5), 2 / 4.0);
  EXPECT_DOUBLE_EQ(bootstrap_p_value(*exact, {10, 10, 10}, {11, 13, 5}, 2), 2 / 4.0);
  EXPECT_DOUBLE_EQ(bootstrap_p_value(*exact, {10, 10, 10}, {11, 13, 5}, 2.1), 1 / 4.0);
  EXPECT_DOUBLE_EQ(bootstrap_p_value(*exact, {10, 10}, {10, 10}, 0), 1);
  // sacreBLEU counts BLEU in this way.
  EXPECT_DOUBLE_EQ(bootstrap_p_value(*bleu, {10, 10, 10}, {11, 13, 5}, 2), 1 / 4.0);
}

TEST(RandomizationTest, EqualSystemsDoNotDiffer) {
  const auto metric = make_metric("exact");
  const auto lines = metric->line_statistics({"a", "b"}, {{"a", "x"}});
  EXPECT_DOUBLE_EQ(randomization_p_value(*metric, lines, lines, 0, {99, 1}), 1);
}

// One of two lines is right: exchanged or not, the difference is the same.
TEST(RandomizationTest, ComparesWithTheDifference) {
  const auto metric = make_metric("exact");
  const auto lines = metric->line_statistics({"a", "b"}, {{"a", "a"}});
  EXPECT_DOUBLE_EQ(randomization_p_value(*metric, {lines[0]}, {lines[1]}, 100, {99, 1}), 1);
  EXPECT_DOUBLE_EQ(randomization_p_value(*metric, {lines[0]}, {lines[1]}, 101, {99, 1}), 0.01);
}

// Without a single 4-gram both BLEU scores are 0, so that all differences are.
TEST(SignificanceOfEqualScores, IsNone) {
  const auto bleu = make_metric("bleu");
  const auto lines = line_statistics(
      *bleu, {.systems = {{"a b c", "d e"}, {"", "d"}}, .references = {{"a b c", "d f"}}});
  for (const SignificanceTest test :
       {SignificanceTest::kBootstrap, SignificanceTest::kRandomization})
    EXPECT_DOUBLE_EQ(p_value(*bleu, lines[0], lines[1], {.test = test, .samples = 99}), 1);
}

TEST(ResampledSignature, NamesSamplesAndSeed) {
  EXPECT_EQ(resampled_signature("nrefs:1|tok:none", "ar", {10000, 7}),
            "nrefs:1|ar:10000|seed:7|tok:none");
}

// Two damaged copies of the first reference, as in scripts/fixtures/sacrebleu_fixtures.py.
class SacrebleusResamples : public testing::Test {
 protected:
  struct System {
    std::vector<Statistics> lines;
    std::vector<double> scores;
  };

  void read(const nlohmann::json& figures) {
    metric_ = make_metric(figures["metric"]);
    const auto& wanted = test::generated().references[0];
    for (size_t salt = 1; salt <= 2; ++salt) {
      test::Texts texts{{}, test::generated().references};
      for (size_t i = 0; i < wanted.size(); ++i)
        texts.hypotheses.push_back(test::perturb(wanted[i], i, salt));
      const auto part = test::select(texts, figures);
      systems_[salt - 1].lines = metric_->line_statistics(part.hypotheses, part.references);
      systems_[salt - 1].scores = bootstrap_scores(*metric_, systems_[salt - 1].lines, {});
    }
  }

  void expect_intervals(const nlohmann::json& intervals) const {
    constexpr double kSinglePrecision = 2e-5;
    for (size_t i = 0; i < 2; ++i) {
      const auto found = confidence_interval(systems_[i].scores);
      EXPECT_NEAR(score_lines(*metric_, systems_[i].lines), intervals[i]["score"].get<double>(),
                  1e-7);
      EXPECT_NEAR(found.mean, intervals[i]["mean"].get<double>(), kSinglePrecision);
      EXPECT_NEAR(found.half_width, intervals[i]["half_width"].get<double>(), kSinglePrecision);
    }
  }

  std::unique_ptr<Metric> metric_;
  System systems_[2];
};

TEST_F(SacrebleusResamples, HaveTheSameIntervalsAndPValues) {
  for (const auto& figures : test::read_cases("paired.json")) {
    SCOPED_TRACE(figures.dump());
    read(figures);
    expect_intervals(figures["intervals"]);
    const double difference = std::abs(score_lines(*metric_, systems_[0].lines) -
                                       score_lines(*metric_, systems_[1].lines));
    EXPECT_DOUBLE_EQ(
        bootstrap_p_value(*metric_, systems_[0].scores, systems_[1].scores, difference),
        figures["bs"]["p"]);
    EXPECT_DOUBLE_EQ(randomization_p_value(*metric_, systems_[0].lines, systems_[1].lines,
                                           difference, {.samples = 10000}),
                     figures["ar"]["p"]);
  }
}

}  // namespace
}  // namespace heed
