#include "search/coverage.h"
#include "holds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

double with(Coverage& coverage, const std::vector<double>& weights) {
  coverage.add(weights);
  return coverage.value();
}

TEST(Coverage, SumsTheLogarithmsOfWhatEachPieceGotButNoMoreThanOne) {
  holds({"--coverage-penalty", "search.coverage_penalty"});
  Coverage coverage;
  EXPECT_NEAR(with(coverage, {0.5, 0.25, 0.25}), std::log(0.5) + std::log(0.25), 1e-12);
  EXPECT_NEAR(with(coverage, {0.75, 0.125, 0.125}), std::log(0.375), 1e-12);  // 1.25 is 1
  EXPECT_NEAR(with(coverage, {0, 1, 0}), 0, 1e-12);
}

TEST(Coverage, DoesNotCountTheEnd) {
  holds({"--coverage-penalty", "search.coverage_penalty"});
  Coverage coverage;
  EXPECT_NEAR(with(coverage, {0.5, 0}), std::log(0.5), 1e-12);
  EXPECT_NEAR(with(coverage, {0, 1}), std::log(0.5), 1e-12);
}

TEST(Coverage, OfAPlaceThatIsNeverReadIsThatOfAMillionth) {
  Coverage coverage;
  EXPECT_NEAR(with(coverage, {1, 0, 0}), -6 * std::log(10.0), 1e-9);
  EXPECT_NEAR(with(coverage, {1, 1e-9, 0}), -6 * std::log(10.0), 1e-9);
}

TEST(Coverage, OfNoSourceIsZero) {
  Coverage coverage;
  EXPECT_EQ(with(coverage, {}), 0);
  EXPECT_EQ(with(coverage, {1.0}), 0);  // kEnd alone
}

}  // namespace
}  // namespace heed
