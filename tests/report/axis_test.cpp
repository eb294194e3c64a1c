// Ticks at round numbers, and where values lie on an axis.
#include "report/axis.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace heed {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const Axis& axis, size_t most) {
  std::vector<std::string> found;
  for (const Tick& tick : axis.ticks(most)) found.push_back(tick.label);
  return found;
}

TEST(Axis, StepsAreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(round_step(1), 1);
  EXPECT_DOUBLE_EQ(round_step(1.1), 2);
  EXPECT_DOUBLE_EQ(round_step(2.1), 5);
  EXPECT_DOUBLE_EQ(round_step(5.1), 10);
  EXPECT_DOUBLE_EQ(round_step(0.0003), 0.0005);
  EXPECT_DOUBLE_EQ(round_step(4000), 5000);
}

TEST(Axis, TicksLieInsideAtMultiplesOfTheStep) {
  EXPECT_THAT(labels({0, 2700}, 6), ElementsAre("0", "500", "1,000", "1,500", "2,000", "2,500"));
  EXPECT_THAT(labels({0, 2700}, 3), ElementsAre("0", "1,000", "2,000"));
  EXPECT_THAT(labels({2.31, 2.74}, 5), ElementsAre("2.4", "2.5", "2.6", "2.7"));
  EXPECT_THAT(labels({-1, 1}, 5), ElementsAre("-1.0", "-0.5", "0", "0.5", "1.0"));
  EXPECT_THAT(labels({0, 0.3}, 3), ElementsAre("0", "0.1", "0.2", "0.3")) << "0.1 * 3 > 0.3";
}

TEST(Axis, SmallAndLargeNumbersHaveAnExponent) {
  EXPECT_THAT(labels({0, 0.00006}, 3), ElementsAre("0", "2e-5", "4e-5", "6e-5"));
  EXPECT_EQ(tick_label(0.00012, 0.00002), "1.2e-4");
  EXPECT_EQ(tick_label(2.5e9, 5e8), "2.5e9");
  EXPECT_EQ(tick_label(1'000'000, 500'000), "1,000,000");
  EXPECT_EQ(tick_label(0.0005, 0.0005), "0.0005");
}

TEST(Axis, LogarithmicTicksArePowersOfTen) {
  EXPECT_THAT(labels({1, 1e5, true}, 6),
              ElementsAre("1", "10", "100", "1,000", "10,000", "100,000"));
  EXPECT_THAT(labels({1, 1e6, true}, 4), ElementsAre("1", "100", "10,000", "1,000,000"));
  EXPECT_THAT(labels({50, 2000, true}, 9),
              ElementsAre("50", "100", "200", "500", "1,000", "2,000"));
}

TEST(Axis, ShortLogarithmicAxesHaveLinearTicks) {
  EXPECT_THAT(labels({2.1, 3.9, true}, 4), ElementsAre("2.5", "3.0", "3.5"));
}

TEST(Axis, AFractionIsWhereAValueLies) {
  EXPECT_DOUBLE_EQ(Axis(10, 20).fraction(12.5), 0.25);
  EXPECT_DOUBLE_EQ(Axis(1, 10000, true).fraction(100), 0.5);
  EXPECT_DOUBLE_EQ(Axis(0, 10).padded(0.1).low(), -1);
  EXPECT_NEAR(Axis(1, 100, true).padded(0.5).high(), 1000, 1e-9);
}

TEST(Axis, OfOneValueHasRoomAroundIt) {
  for (const double value : {0.0, 5.0, -5.0}) {
    const Axis axis(value, value);
    EXPECT_DOUBLE_EQ(axis.fraction(value), 0.5);
    EXPECT_GE(axis.ticks(6).size(), 2u);
  }
  EXPECT_DOUBLE_EQ(Axis(8, 8, true).fraction(8), 0.5);
}

}  // namespace
}  // namespace heed
