#include "sweep/halving.h"

#include <gmock/gmock.h>

namespace heed {
namespace {

using testing::ElementsAre;

TEST(Halving, KeepsTheBestInTheirOrder) {
  EXPECT_THAT(best_settings({1, 4, 2, 3}, 0.5), ElementsAre(1, 3));
  EXPECT_THAT(best_settings({1, 4, 2, 3}, 0.25), ElementsAre(1));
}

TEST(Halving, RoundsUpAndStopsOneAtLeast) {
  EXPECT_THAT(best_settings({3, 2, 1}, 0.5), ElementsAre(0, 1));
  EXPECT_THAT(best_settings({3, 2, 1}, 0.34), ElementsAre(0, 1));
  EXPECT_THAT(best_settings({3, 2, 1}, 0.9), ElementsAre(0, 1));
  EXPECT_THAT(best_settings({1, 2}, 0.9), ElementsAre(1));
  EXPECT_THAT(best_settings({1, 2}, 0.01), ElementsAre(1));
  EXPECT_THAT(best_settings({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.3), ElementsAre(7, 8, 9));
}

TEST(Halving, PrefersAnyScoreToNone) {
  EXPECT_THAT(best_settings({std::nullopt, -100}, 0.5), ElementsAre(1));
}

TEST(Halving, OfEqualScoresKeepsTheEarlier) {
  EXPECT_THAT(best_settings({1, 1, 1, 1}, 0.5), ElementsAre(0, 1));
}

}  // namespace
}  // namespace heed
