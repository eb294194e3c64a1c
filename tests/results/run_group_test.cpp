// Groups of runs that differ by their seed alone, their names and their means.
#include "results/run_group.h"

#include <gmock/gmock.h>

#include <cmath>

#include "results/run_columns.h"

namespace heed {
namespace {

using testing::ElementsAre;

RunSettingValues settings(const std::string& run, const std::string& seed,
                          const std::string& rate) {
  return {{"run", run}, {"seed", seed}, {"train.optimizer.rate", rate}};
}

TEST(RunGroup, HasTheRunsWhoseOtherSettingsAreEqual) {
  const std::vector<RunSettingValues> configs = {
      settings("a", "1", "0.1"), settings("b", "1", "0.2"), {}, settings("c", "2", "0.1"), {}};
  EXPECT_THAT(groups_by_seed(configs),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1), ElementsAre(2), ElementsAre(4)));
}

TEST(RunGroup, IsNamedByTheCommonPartsOfItsNames) {
  EXPECT_EQ(common_name({"base-1", "base-2", "base-13"}), "base-{1,2,13}");
  EXPECT_EQ(common_name({"en-de/base"}), "en-de/base");
}

TEST(RunGroup, HasTheSampleStandardDeviation) {
  EXPECT_FALSE(spread_of({}));
  EXPECT_FALSE(spread_of({3})->deviation);
  const Spread spread = *spread_of({1, 2, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(*spread.deviation, std::sqrt(7));  // (4 + 1 + 9) / 2
}

TEST(RunTable, ShortensKeysToTheEndThatNoOtherHas) {
  EXPECT_THAT(short_keys({"train.optimizer.rate", "model.encoder.layers", "model.decoder.layers"}),
              ElementsAre("rate", "encoder.layers", "decoder.layers"));
}

}  // namespace
}  // namespace heed
