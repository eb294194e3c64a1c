#include "sweep/trained_run.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

// Compares the config of a run with one that differs by a change.
template <class Change>
TrainedRun after(Change change) {
  RunConfig stored;
  stored.train.max_updates = 100;
  stored.train.workers = 2;
  stored.run = ".";
  RunConfig planned = stored;
  planned.run = "/elsewhere";
  change(planned);
  TrainedRun run;
  compare_settings(stored, planned, run);
  return run;
}

TEST(TrainedRun, OfEqualSettingsIsAsPlanned) {
  const TrainedRun run = after([](RunConfig&) {});
  EXPECT_TRUE(run.changed.empty());
  EXPECT_FALSE(run.goes_on);
}

TEST(TrainedRun, GoesOnWithARaisedLimitAndOtherTestSets) {
  EXPECT_TRUE(after([](RunConfig& now) { now.train.max_updates = 200; }).goes_on);
  EXPECT_TRUE(after([](RunConfig& now) { now.train.max_updates.reset(); }).goes_on);
  const TrainedRun run = after([](RunConfig& now) { now.data.test["new"]; });
  EXPECT_TRUE(run.goes_on);
  EXPECT_TRUE(run.changed.empty());
}

TEST(TrainedRun, OfALowerLimitHasChanged) {
  const TrainedRun run = after([](RunConfig& now) { now.train.max_updates = 50; });
  ASSERT_EQ(run.changed.size(), 1u);
  EXPECT_EQ(run.changed[0].key, "train.max_updates");
  EXPECT_EQ(after([](RunConfig& now) { now.train.max_epochs = 3; }).changed.size(), 1u);
}

TEST(TrainedRun, OfOtherSettingsHasChanged) {
  EXPECT_EQ(after([](RunConfig& now) { now.train.clip = 7; }).changed.size(), 1u);
  EXPECT_EQ(after([](RunConfig& now) { now.train.validation.every = 7; }).changed.size(), 1u);
  EXPECT_EQ(after([](RunConfig& now) { now.search.beam = 7; }).changed.size(), 1u);
  EXPECT_EQ(after([](RunConfig& now) { now.init.model = "x"; }).changed.size(), 1u);
  EXPECT_EQ(after([](RunConfig& now) { now.train.workers = 1; }).changed.size(), 1u);
}

TEST(TrainedRun, MayDifferInWhatFiguresDoNotDependOn) {
  EXPECT_TRUE(after([](RunConfig& now) { now.train.log_every = 7; }).changed.empty());
  EXPECT_TRUE(after([](RunConfig& now) { now.device = "cpu"; }).changed.empty());
  EXPECT_TRUE(after([](RunConfig& now) { now.train.workers.reset(); }).changed.empty());
}

TEST(TrainedRun, IsDoneUpToAnUpdateOrInFull) {
  TrainedRun run{.limit = 100, .finished = true, .saved = 100};
  EXPECT_TRUE(run.is_done(std::nullopt));
  EXPECT_TRUE(run.is_done(50));
  run.goes_on = true;  // a rung of successive halving ended it
  EXPECT_FALSE(run.is_done(std::nullopt));
  EXPECT_TRUE(run.is_done(100));
  EXPECT_FALSE(run.is_done(200));
  run = {.limit = 400, .finished = true, .saved = 100};  // by patience
  EXPECT_TRUE(run.is_done(200));
  run = {.limit = 400, .saved = 100};  // interrupted
  EXPECT_FALSE(run.is_done(std::nullopt));
}

}  // namespace
}  // namespace heed
