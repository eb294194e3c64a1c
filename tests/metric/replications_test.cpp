// Expected p-values are by sacreBLEU 2.6.0 (scripts/fixtures/replication_fixtures.py).
#include "metric/replications.h"

#include <gtest/gtest.h>

#include "metric/fixtures.h"
#include "metric/perturb.h"

namespace heed {
namespace {

// The damaged copies of a case, the baseline's first.
ComparedTexts texts_of(const nlohmann::json& figures) {
  const Lines& wanted = test::generated().references[0];
  const size_t first = figures["first"], count = figures["count"], seeds = figures["seeds"];
  ComparedTexts texts;
  texts.references.emplace_back(wanted.begin() + static_cast<int64_t>(first),
                                wanted.begin() + static_cast<int64_t>(first + count));
  for (size_t salt = 1; salt <= 2 * seeds; ++salt) {
    Lines& lines = texts.systems.emplace_back();
    for (size_t i = first; i < first + count; ++i)
      lines.push_back(test::perturb(wanted[i], i, salt));
  }
  return texts;
}

double p_of(const nlohmann::json& figures, SignificanceTest test) {
  return replicated_p_value(*make_metric(figures["metric"]), texts_of(figures),
                            {.test = test, .samples = {}});
}

TEST(Replications, AreTestedAsTheirTextsBehindEachOther) {
  for (const auto& figures : test::read_cases("replications.json"))
    EXPECT_DOUBLE_EQ(p_of(figures, SignificanceTest::kRandomization), figures["randomization"])
        << figures;
}

TEST(Replications, AreDrawnTogetherWithTheirLine) {
  for (const auto& figures : test::read_cases("replications.json"))
    EXPECT_DOUBLE_EQ(p_of(figures, SignificanceTest::kBootstrap), figures["bootstrap"]) << figures;
}

TEST(Replications, OfEqualTextsDoNotDiffer) {
  nlohmann::json figures = test::read_cases("replications.json").front();
  figures["seeds"] = 2;
  ComparedTexts texts = texts_of(figures);
  texts.systems[2] = texts.systems[0];
  texts.systems[3] = texts.systems[1];
  for (const auto test : {SignificanceTest::kBootstrap, SignificanceTest::kRandomization})
    EXPECT_EQ(replicated_p_value(*make_metric("bleu"), texts, {.test = test, .samples = {}}), 1);
}

}  // namespace
}  // namespace heed
