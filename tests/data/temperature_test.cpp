#include "data/temperature.h"

#include <gmock/gmock.h>

#include <map>

#include "data/epoch_plan.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

auto near(double value) { return DoubleNear(value, 1e-12); }

TEST(Temperature, OfOneLeavesWeightsAlone) {
  holds({"data.temperature"});
  EXPECT_THAT(tempered_weights({{100, 2}, {7, 0.3}}, 1), ElementsAre(2, 0.3));
}

// 900 and 100 pairs: at T = 2 in proportion to 30 and 10, so 750 and 250 of 1000.
TEST(Temperature, DrawsInProportionToARoot) {
  EXPECT_THAT(tempered_weights({{900, 1}, {100, 1}}, 2),
              ElementsAre(near(750.0 / 900), near(250.0 / 100)));
  // 10,000 and 16 pairs: at T = 4 in proportion to the fourth roots, 10 and 2, of 10,016 pairs.
  EXPECT_THAT(tempered_weights({{10000, 1}, {16, 1}}, 4),
              ElementsAre(near(10016 * 10.0 / 12 / 10000), near(10016 * 2.0 / 12 / 16)));
}

// 900 and 100 pairs with weights 0.5 and 3: 450 + 300 = 750 pairs an epoch, in proportion to 0.5 ·
// 30 = 15 and 3 · 10 = 30, so 250 and 500.
TEST(Temperature, KeepsWeightsBesideIt) {
  EXPECT_THAT(tempered_weights({{900, 0.5}, {100, 3}}, 2),
              ElementsAre(near(250.0 / 900), near(500.0 / 100)));
}

// 800 and 100 pairs of one tag are 900 pairs, against 100 of the other tag: 750 of 1000, of which
// the first corpus has eight ninths.
TEST(Temperature, TakesCorporaOfOneTagTogether) {
  EXPECT_THAT(tempered_weights({{800, 1, "de"}, {100, 1, "fr"}, {100, 1, "de"}}, 2),
              ElementsAre(near(750.0 / 900), near(2.5), near(750.0 / 900)));
}

TEST(Temperature, OfACorpusWithoutPairsIsOfNone) {
  EXPECT_THAT(tempered_weights({{0, 2}, {100, 1}}, 5), ElementsAre(2, near(1)));
}

// A tenth beside 300 pairs with weight 3 is 100 pairs, and so it is whatever the temperature.
TEST(Share, IsThatOfAnEpoch) {
  holds({"data.train[].share"});
  const DrawnCorpus general{.pairs = 5000, .share = 0.1};
  EXPECT_THAT(tempered_weights({{300, 3}, general}, 1), ElementsAre(3, near(100.0 / 5000)));
  // 900 and 100 pairs become 750 and 250; two shares of a quarter are 500 pairs each.
  const DrawnCorpus quarter{.pairs = 100, .share = 0.25};
  EXPECT_THAT(tempered_weights({{900, 1}, quarter, {100, 1}, quarter}, 2),
              ElementsAre(near(750.0 / 900), near(5), near(2.5), near(5)));
  const DrawnCorpus none{.pairs = 0, .share = 0.5};
  EXPECT_THAT(tempered_weights({none, {100, 2}}, 1), ElementsAre(1, 2));
}

TEST(Share, MakesEpochs) {
  const TemporaryFolder folder;
  write_pairs(folder / "a.en", folder / "a.de", 18);
  write_pairs(folder / "b.en", folder / "b.de", 90);
  CorpusFiles general = corpus_files({folder / "b.en"}, {folder / "b.de"});
  general.share = 0.1;
  const auto text = std::make_shared<const TrainingText>(
      std::vector<CorpusFiles>{corpus_files({folder / "a.en"}, {folder / "a.de"}), general});
  ParallelCorpus corpus(text, {.codecs = {hundred_words(), hundred_words()}}, {});
  corpus.sample_by_temperature(1);
  const EpochPlan plan(corpus.index(), {.tokens = 100}, 1, 0);
  std::map<size_t, int> drawn;
  for (int64_t b = 0; b < plan.batches(); ++b) {
    for (const PairId pair : plan.batch(b)) ++drawn[corpus.index().part_of(pair)];
  }
  EXPECT_EQ(drawn, (std::map<size_t, int>{{0, 18}, {1, 2}}));
  EXPECT_THAT(corpus.report().lines()[1], testing::HasSubstr("10.0% of an epoch"));
}

// Checks the pairs of an epoch and the report of the corpus.
TEST(Temperature, MakesEpochs) {
  const TemporaryFolder folder;
  write_pairs(folder / "a.en", folder / "a.de", 90);
  write_pairs(folder / "b.en", folder / "b.de", 10);
  const auto text = std::make_shared<const TrainingText>(
      std::vector<CorpusFiles>{corpus_files({folder / "a.en"}, {folder / "a.de"}),
                               corpus_files({folder / "b.en"}, {folder / "b.de"})});
  ParallelCorpus corpus(text, {.codecs = {hundred_words(), hundred_words()}}, {});
  corpus.sample_by_temperature(2);
  std::map<size_t, std::map<PairId, int>> drawn;
  const EpochPlan plan(corpus.index(), {.tokens = 100}, 1, 0);
  for (int64_t b = 0; b < plan.batches(); ++b) {
    for (const PairId pair : plan.batch(b)) ++drawn[corpus.index().part_of(pair)][pair];
  }
  // Draws 75 of the 90 pairs once each, and the 10 pairs 25 times, each two or three times.
  EXPECT_EQ(drawn[0].size(), 75U);
  EXPECT_EQ(drawn[1].size(), 10U);
  int second = 0;
  for (const auto& [pair, count] : drawn[1]) second += count;
  EXPECT_EQ(second, 25);
  EXPECT_THAT(corpus.report().lines(),
              ElementsAre("a.en + a.de: 90 pairs, 90 kept (weight 0.8333), 75.0% of an epoch",
                          "b.en + b.de: 10 pairs, 10 kept (weight 2.5), 25.0% of an epoch",
                          "all corpora: 100 pairs, 100 kept"));
}

}  // namespace
}  // namespace heed
