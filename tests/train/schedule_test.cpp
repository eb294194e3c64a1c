#include "holds.h"
#include "train/schedule_config.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

TEST(Schedule, ConstantWarmsUpLinearly) {
  holds({"train.schedule.warmup", "train.schedule=constant"});
  ConstantSchedule schedule;
  EXPECT_EQ(schedule.factor(1, {}), 1);
  schedule.warmup = 10;
  EXPECT_DOUBLE_EQ(schedule.factor(1, {}), 0.1);
  EXPECT_DOUBLE_EQ(schedule.factor(5, {}), 0.5);
  EXPECT_EQ(schedule.factor(10, {}), 1);
  EXPECT_EQ(schedule.factor(100000, {}), 1);
}

TEST(Schedule, InverseSqrtFallsAfterTheWarmUp) {
  holds({"train.schedule=inverse_sqrt"});
  InverseSqrtSchedule schedule;
  schedule.warmup = 1000;
  EXPECT_DOUBLE_EQ(schedule.factor(250, {}), 0.25);
  EXPECT_EQ(schedule.factor(1000, {}), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(4000, {}), 0.5);
  EXPECT_DOUBLE_EQ(schedule.factor(100000, {}), 0.1);
}

// d_model^-0.5 · min(step^-0.5, step · warmup^-1.5)
TEST(Schedule, VaswaniIsTheFormulaOfThePaper) {
  holds({"train.schedule=vaswani"});
  VaswaniSchedule schedule;
  schedule.width = 512;
  schedule.warmup = 4000;
  for (const double step : {1.0, 100.0, 3999.0, 4000.0, 4001.0, 100000.0}) {
    const double expected =
        std::pow(512.0, -0.5) * std::min(std::pow(step, -0.5), step * std::pow(4000.0, -1.5));
    EXPECT_NEAR(schedule.factor(static_cast<int64_t>(step), {}), expected, 1e-15);
  }
}

template <class Kind>
Kind falling(int64_t warmup, int64_t updates, double lowest) {
  Kind schedule;
  schedule.warmup = warmup;
  schedule.updates = updates;
  schedule.lowest = lowest;
  return schedule;
}

TEST(Schedule, LinearFallsToItsLowest) {
  holds({"train.schedule=linear", "train.schedule.updates", "train.schedule.lowest",
         "train.schedule.warmup"});
  const auto schedule = falling<LinearSchedule>(100, 1100, 0.2);
  EXPECT_DOUBLE_EQ(schedule.factor(50, {}), 0.5);
  EXPECT_DOUBLE_EQ(schedule.factor(100, {}), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(600, {}), 0.6);
  EXPECT_DOUBLE_EQ(schedule.factor(1100, {}), 0.2);
  EXPECT_DOUBLE_EQ(schedule.factor(99999, {}), 0.2);
  EXPECT_DOUBLE_EQ(falling<LinearSchedule>(0, 4, 0).factor(1, {}), 0.75);
}

// Loshchilov and Hutter 2017, eq. 5: η_min + (η_max − η_min) (1 + cos(π T_cur / T)) / 2
TEST(Schedule, CosineIsTheFormulaOfThePaper) {
  holds({"train.schedule=cosine", "train.schedule.updates", "train.schedule.lowest",
         "train.schedule.warmup"});
  const auto schedule = falling<CosineSchedule>(100, 1100, 0.2);
  EXPECT_DOUBLE_EQ(schedule.factor(10, {}), 0.1);
  for (const int64_t update : {100, 101, 350, 600, 1099, 1100}) {
    const double turned = static_cast<double>(update - 100) / 1000 * std::acos(-1.0);
    EXPECT_NEAR(schedule.factor(update, {}), 0.2 + 0.8 * 0.5 * (1 + std::cos(turned)), 1e-12);
  }
  EXPECT_DOUBLE_EQ(schedule.factor(5000, {}), 0.2);
}

TEST(Schedule, ExponentialFallsByAFactorOverEachPeriod) {
  holds({"train.schedule=exponential", "train.schedule.decay", "train.schedule.every",
         "train.schedule.staircase", "train.schedule.warmup"});
  ExponentialSchedule schedule;
  schedule.warmup = 100;
  schedule.decay = 0.25;
  schedule.every = 1000;
  EXPECT_DOUBLE_EQ(schedule.factor(25, {}), 0.25);
  EXPECT_DOUBLE_EQ(schedule.factor(100, {}), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(600, {}), 0.5);
  EXPECT_DOUBLE_EQ(schedule.factor(2100, {}), 0.0625);
  schedule.staircase = true;
  EXPECT_DOUBLE_EQ(schedule.factor(1099, {}), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(1100, {}), 0.25);
}

TEST(Schedule, PlateauFallsAfterEachRunWithoutABetterScore) {
  holds({"train.schedule.decay", "train.schedule.lowest", "train.schedule.patience",
         "train.schedule=plateau"});
  PlateauSchedule schedule;
  schedule.decay = 0.5;
  schedule.patience = 2;
  schedule.lowest = 0.2;
  EXPECT_EQ(schedule.factor(100, {}), 1);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2}), 1);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1}), 0.5);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, 1.9}), 0.5);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, 1.9, 1.9}), 0.25);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, 3, 2.9, 2.8}), 0.25);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, 3, 2.9, 2.8, 2.7, 2.6}), 0.2);
}

// The reduction stays; 0.1 is the best of the new scores, and two in a row are not better.
TEST(Schedule, PlateauBeginsAnewWhereScoresDo) {
  PlateauSchedule schedule;
  schedule.patience = 2;
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, {0.1, true}}), 0.5);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, {0.1, true}, 0.1}), 0.5);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, 1, {0.1, true}, 0.1, 0.1}), 0.25);
  EXPECT_EQ(schedule.factor(100, {1, 2, 2, {0.1, true}, 0.1}), 1) << "one wait, and one wait";
}

TEST(Schedule, PlateauTakesNoNumberForNoBetter) {
  PlateauSchedule schedule;
  schedule.patience = 1;
  EXPECT_EQ(schedule.factor(1, {NAN}), 0.5);
  EXPECT_EQ(schedule.factor(1, {1, NAN}), 0.5);
  EXPECT_EQ(schedule.factor(1, {NAN, 1}), 0.5);
}

TEST(Schedule, EveryKindHasAName) {
  std::vector<std::string> names;
  for (const auto& kind : schedules()) names.emplace_back(kind.name);
  EXPECT_EQ(names, (std::vector<std::string>{"constant", "inverse_sqrt", "vaswani", "linear",
                                             "cosine", "exponential", "plateau"}));
}

}  // namespace
}  // namespace heed
