// Labels against what scikit-learn, and edited lines against what jiwer printed for them.
#include <gtest/gtest.h>

#include <map>

#include "holds.h"
#include "metric/fixtures.h"

namespace heed {
namespace {

constexpr double kRounding = 1e-8;  // the figures' file has ten decimals

Lines cut(const nlohmann::json& name, const nlohmann::json& figures) {
  const Lines lines = test::read_lines(test::fixture(name));
  const auto begin = lines.begin() + figures["first"].get<std::ptrdiff_t>();
  return {begin, begin + figures["count"].get<std::ptrdiff_t>()};
}

void expect_figures(const nlohmann::json& figures) {
  SCOPED_TRACE(figures.dump());
  References references;
  for (const auto& name : figures["references"]) references.push_back(cut(name, figures));
  const Score score =
      make_metric(figures["metric"])->score(cut(figures["hypotheses"], figures), references);
  EXPECT_NEAR(score.value, figures["score"].get<double>(), kRounding);
  const std::map<std::string, double> parts(score.parts.begin(), score.parts.end());
  for (const auto& [name, value] : figures["parts"].items()) {
    EXPECT_NEAR(parts.at(name), value.get<double>(), kRounding) << name;
  }
}

void expect_cases(const std::string& metric) {
  size_t cases = 0;
  for (const auto& figures : test::read_cases("lines.json")) {
    if (figures["metric"] != metric) continue;
    expect_figures(figures);
    ++cases;
  }
  EXPECT_GT(cases, 5u);
}

TEST(Labels, ExactMatchEqualsScikitLearnsAccuracy) {
  holds({"--metric"});
  expect_cases("exact");
}
TEST(Labels, F1EqualsScikitLearns) {
  holds({"--metric"});
  expect_cases("f1");
}
TEST(EditedLines, WordErrorRateEqualsJiwers) {
  holds({"--metric"});
  expect_cases("wer");
}

}  // namespace
}  // namespace heed
