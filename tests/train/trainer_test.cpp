#include "train/trainer.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"
#include "holds.h"
#include "train/fakes.h"

namespace heed {
namespace {

using Updates = std::vector<int64_t>;

class TrainerTest : public testing::Test {
 protected:
  void TearDown() override { set_caught_signal(0); }
  Fakes fakes;
};

TEST_F(TrainerTest, StopsAfterMaxUpdatesAndSaves) {
  holds({"train.max_updates"});
  fakes.config.max_updates = 7;
  const Ending ending = fakes.trainer().run();
  EXPECT_EQ(ending.signal, 0);
  EXPECT_EQ(ending.reason, "max_updates: 7 is reached");
  EXPECT_EQ(fakes.workers.updates, (Updates{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(fakes.store.updates(), (Updates{7}));
  EXPECT_EQ(fakes.log.ending, ending.reason);
}

TEST_F(TrainerTest, ASignalEndsTheGatheringOfBatches) {
  struct Stream final : BatchStream {
    int64_t asked = 0;
    void divide(const Division&) override {}
    Batch next() override {
      if (++asked == 3) set_caught_signal(SIGTERM);
      return {};
    }
    BatchPosition position() const override { return {}; }
    void seek(const BatchPosition&) override {}
  } stream;
  fakes.config.accumulate = 10'000;
  Trainer trainer(fakes.config,
                  {stream, fakes.workers, fakes.stepper, nullptr, fakes.store, fakes.log,
                   fakes.clock, fakes.reducer},
                  {});
  EXPECT_EQ(trainer.run().signal, SIGTERM);
  EXPECT_EQ(stream.asked, 3);
  EXPECT_EQ(fakes.workers.updates, Updates());
  EXPECT_EQ(fakes.store.updates(), Updates());  // nothing is half done
}

TEST_F(TrainerTest, AnEndBetweenTwoValidationsAddsOne) {
  holds({"train.validate.every"});
  fakes.config.max_updates = 25;
  fakes.config.validation.every = 8;
  fakes.trainer().run();
  EXPECT_EQ(fakes.validator.updates, (Updates{8, 16, 24, 25}));
  EXPECT_EQ(fakes.store.updates(), (Updates{8, 16, 24, 25}));
  const Validations& all = fakes.store.saved.back().validations;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_FALSE(all[2].at_end);
  EXPECT_TRUE(all[3].at_end);
  EXPECT_EQ(fakes.log.reason_to_validate, "max_updates: 25 is reached");
}

TEST_F(TrainerTest, EachLimitAddsAValidationAndPatienceNone) {
  Fakes of_epochs, of_time, of_patience;
  of_epochs.config.max_epochs = 2;
  of_epochs.config.validation.every = 15;
  of_epochs.trainer().run();
  EXPECT_EQ(of_epochs.validator.updates, (Updates{15, 20}));
  of_time.config.max_time = 7;
  of_time.trainer().run();
  EXPECT_EQ(of_time.validator.updates, (Updates{7}));
  of_patience.config.validation.patience = 1;
  Progress progress;
  progress.update = 25;
  progress.validations = {{.update = 10, .loss = 4}, {.update = 20, .loss = 5}};
  of_patience.trainer(progress).run();
  EXPECT_EQ(of_patience.validator.updates, Updates());
}

// The run that is resumed validates where the other one did not stop.
TEST_F(TrainerTest, PatienceDoesNotCountTheValidationOfAnEnd) {
  holds({"train.validate.patience"});
  fakes.config.validation.patience = 3;
  fakes.validator.losses = {4, 5};
  fakes.config.max_updates = 35;
  EXPECT_EQ(fakes.trainer().run().reason, "max_updates: 35 is reached");
  EXPECT_EQ(fakes.validator.updates, (Updates{10, 20, 30, 35}));
  Progress progress = fakes.store.saved.back();
  forget_former_end(fakes.config, progress);
  EXPECT_EQ(progress.validations.size(), 4u) << "the run has ended";
  fakes.config.max_updates = 100;
  EXPECT_FALSE(reached_limit(fakes.config, progress));
  forget_former_end(fakes.config, progress);
  EXPECT_EQ(progress.validations.size(), 3u);
  fakes.trainer(progress).run();
  EXPECT_EQ(fakes.store.saved.back().update, 40);
}

TEST_F(TrainerTest, ASignalInTheValidationOfAnEndLeavesItToTheResumedRun) {
  fakes.config.max_updates = 5;
  fakes.validator.interrupted = true;
  EXPECT_EQ(fakes.trainer().run().signal, SIGINT);
  ASSERT_EQ(fakes.store.updates(), (Updates{5}));
  EXPECT_TRUE(fakes.store.saved[0].validations.empty());

  set_caught_signal(0);
  fakes.validator.interrupted = false;
  EXPECT_EQ(fakes.trainer(Progress(fakes.store.saved[0])).run().signal, 0);
  EXPECT_EQ(fakes.validator.updates, (Updates{5}));
  EXPECT_EQ(fakes.store.updates(), (Updates{5, 5}));
}

TEST_F(TrainerTest, ValidationThatIsDueAtTheEndIsMade) {
  fakes.config.max_updates = 20;
  fakes.trainer().run();
  EXPECT_EQ(fakes.validator.updates, (Updates{10, 20}));
  EXPECT_EQ(fakes.store.updates(), (Updates{10, 20}));
  EXPECT_FALSE(fakes.store.saved.back().validations.back().at_end);
  EXPECT_EQ(fakes.log.reason_to_validate, "");
}

TEST_F(TrainerTest, TrainsWithoutValidation) {
  fakes.has_validation = false;
  fakes.config.max_updates = 25;
  fakes.trainer().run();
  EXPECT_EQ(fakes.store.updates(), (Updates{25}));
}

TEST_F(TrainerTest, StopsAfterMaxEpochs) {
  holds({"train.max_epochs"});
  fakes.config.max_epochs = 2;
  fakes.trainer().run();
  EXPECT_EQ(fakes.workers.numbers.size(), 20u);
}

TEST_F(TrainerTest, StopsAfterMaxTimeOfAllRunsTogether) {
  holds({"train.max_time"});
  fakes.has_validation = false;
  fakes.config.max_time = 10;
  fakes.trainer().run();
  EXPECT_EQ(fakes.workers.updates.size(), 10u);
  fakes.workers.updates.clear();
  Progress progress;
  progress.update = 6;
  progress.seconds = 6;
  fakes.trainer(progress).run();
  EXPECT_EQ(fakes.workers.updates, (Updates{7, 8, 9, 10}));
}

TEST_F(TrainerTest, StopsByPatience) {
  holds({"train.validate.patience"});
  fakes.validator.losses = {5, 4, 4.5, 4.2, 4, 3};
  fakes.config.validation.patience = 3;
  const Ending ending = fakes.trainer().run();
  EXPECT_EQ(fakes.validator.updates, (Updates{10, 20, 30, 40, 50}));
  EXPECT_EQ(ending.reason, "no better loss in the last 3 validations (patience: 3)");
}

TEST_F(TrainerTest, PatienceGoesOnWhereItStopped) {
  holds({"train.validate.patience"});
  fakes.config.validation.patience = 3;
  fakes.validator.losses = {4.5};
  Progress progress;
  progress.update = 30;
  progress.validations = {
      {.update = 10, .loss = 4}, {.update = 20, .loss = 5}, {.update = 30, .loss = 5}};
  fakes.trainer(progress).run();
  EXPECT_EQ(fakes.validator.updates, (Updates{40}));
}

TEST_F(TrainerTest, AccumulatesBatchesIntoOneUpdate) {
  holds({"train.accumulate"});
  fakes.config.accumulate = 3;
  fakes.config.max_updates = 2;
  fakes.trainer().run();
  EXPECT_EQ(fakes.workers.updates, (Updates{1, 2}));
  EXPECT_EQ(fakes.workers.numbers, (Updates{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(fakes.store.saved.back().examples, 6);
}

TEST_F(TrainerTest, SavesEachSaveEveryUpdates) {
  holds({"train.save_every"});
  fakes.config.max_updates = 13;
  fakes.config.save_every = 4;
  fakes.trainer().run();
  EXPECT_EQ(fakes.store.updates(), (Updates{4, 8, 10, 12, 13}));
}

TEST_F(TrainerTest, RateFollowsTheSchedule) {
  holds({"train.schedule.warmup", "train.schedule=constant"});
  auto schedule = make_kind<ConstantSchedule>("constant");
  schedule->warmup = 4;
  fakes.config.schedule = schedule;
  fakes.config.optimizer->rate = 0.4;
  fakes.config.max_updates = 5;
  fakes.trainer().run();
  const std::vector<double> expected{0.1, 0.2, 0.3, 0.4, 0.4};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(fakes.stepper.rates[i], expected[i]);
  }
}

TEST_F(TrainerTest, PlateauReadsTheValidations) {
  holds({"train.schedule.decay", "train.schedule.lowest", "train.schedule.patience",
         "train.schedule=plateau"});
  auto schedule = make_kind<PlateauSchedule>("plateau");
  schedule->patience = 1;
  fakes.config.schedule = schedule;
  fakes.config.optimizer->rate = 1;
  fakes.config.max_updates = 31;
  fakes.validator.losses = {3, 4, 2};
  fakes.trainer().run();
  EXPECT_EQ(fakes.stepper.rates[19], 1);
  EXPECT_EQ(fakes.stepper.rates[20], 0.5);
  EXPECT_EQ(fakes.stepper.rates[30], 0.5);
}

TEST_F(TrainerTest, ClipsOnlyWhatIsTooLong) {
  holds({"train.clip"});
  fakes.config.max_updates = 1;
  fakes.config.clip = 0.25;
  fakes.trainer().run();
  EXPECT_DOUBLE_EQ(fakes.stepper.scales[0], 0.5);
  fakes.config.clip = 1;
  fakes.trainer().run();
  EXPECT_EQ(fakes.stepper.scales[1], 1);
  fakes.config.clip = 0;
  fakes.stepper.norm = 100;
  fakes.trainer().run();
  EXPECT_EQ(fakes.stepper.scales[2], 1);
}

TEST_F(TrainerTest, LogsTheMeanSinceTheLastLine) {
  holds({"train.log_every"});
  fakes.config.max_updates = 10;
  fakes.workers.loss_of[7] = 12;
  fakes.trainer().run();
  ASSERT_EQ(fakes.log.lines.size(), 2u);
  EXPECT_EQ(fakes.log.lines[0].since_log.loss, 10);
  EXPECT_EQ(fakes.log.lines[0].since_log.tokens, 20);
  EXPECT_EQ(fakes.log.lines[1].since_log.loss, 20);
  EXPECT_EQ(fakes.log.reports[1].gradient_norm, 0.5);
}

TEST_F(TrainerTest, SkipsAndCountsWhatIsNotFinite) {
  fakes.config.max_updates = 10;
  fakes.config.max_skipped = 2;
  fakes.workers.loss_of = {{2, NAN}, {4, INFINITY}, {5, 2}};
  Trainer trainer = fakes.trainer();
  trainer.run();
  EXPECT_EQ(fakes.stepper.rates.size(), 8u);
  EXPECT_EQ(trainer.progress().update, 10);
  EXPECT_EQ(trainer.progress().skipped, 2);
  EXPECT_EQ(trainer.progress().skipped_in_a_row, 0);
  EXPECT_EQ(fakes.log.skips.size(), 2u);
  EXPECT_EQ(fakes.log.lines[0].since_log.tokens, 12);
}

TEST_F(TrainerTest, SkippedUpdatesHaveNoLossButALearningRate) {
  fakes.config.max_updates = 5;
  fakes.config.optimizer->rate = 0.5;
  for (int64_t update = 1; update <= 5; ++update) fakes.workers.loss_of[update] = NAN;
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "nothing is trained");
  EXPECT_TRUE(fakes.store.saved.empty());
  ASSERT_EQ(fakes.log.lines.size(), 1u);
  EXPECT_TRUE(std::isnan(fakes.log.lines[0].since_log.per_token(0)));
  EXPECT_EQ(fakes.log.reports[0].rate, 0.5);
}

// The parameters are those of the update before.
TEST_F(TrainerTest, SavesWhatIsValidatedAfterASkippedUpdate) {
  fakes.config.max_updates = 12;
  fakes.workers.loss_of[10] = NAN;
  fakes.trainer().run();
  EXPECT_EQ(fakes.validator.updates, (Updates{10, 12}));
  EXPECT_EQ(fakes.store.updates(), (Updates{10, 12}));
}

TEST_F(TrainerTest, SkipsAGradientThatIsNotFinite) {
  fakes.config.max_updates = 3;
  fakes.workers.before = [&](int64_t update) { fakes.stepper.norm = update == 2 ? NAN : 1; };
  fakes.trainer().run();
  EXPECT_EQ(fakes.stepper.rates.size(), 2u);
  EXPECT_EQ(fakes.log.skips, (std::vector<std::string>{"the gradient norm is not finite"}));
}

TEST_F(TrainerTest, DivergesAfterSeveralInARowAndSavesNothingOfIt) {
  holds({"train.max_skipped"});
  fakes.config.max_updates = 100;
  fakes.config.max_skipped = 3;
  fakes.config.save_every = 1;
  for (int64_t update = 13; update < 20; ++update) fakes.workers.loss_of[update] = NAN;
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "update 15");
  EXPECT_EQ(fakes.workers.updates.back(), 15);
  EXPECT_EQ(fakes.store.updates().back(), 12);
}

TEST_F(TrainerTest, NeverSavesAndNeverValidatesWhatIsNotFinite) {
  for (const char* fault : {"a parameter", "the state of the optimizer", "the average"}) {
    for (const int64_t updates : {5, 10}) {  // with a validation after 10
      Fakes own;
      own.config.max_updates = updates;
      own.stepper.fault = fault;
      const std::string expected =
          fmt::format("update {}: {} is not finite; no checkpoint was saved", updates, fault);
      EXPECT_ERROR(own.trainer().run(), ErrorKind::kDiverged, expected);
      EXPECT_TRUE(own.store.saved.empty());
      EXPECT_TRUE(own.validator.updates.empty());
    }
  }
}

// Parameters of 1e29 are finite: the loss that they give is what shows it.
TEST_F(TrainerTest, NeverSavesParametersWhoseLossIsAbsurd) {
  for (const double loss : {double{NAN}, double{INFINITY}, 3e29}) {
    Fakes own;
    own.config.max_updates = 100;
    own.config.save_every = 3;
    own.has_validation = false;
    own.workers.before = [&](int64_t update) {
      if (update == 7) own.workers.loss_again = loss;
    };
    const std::string expected = fmt::format(
        "update 9: the loss of the last batch, after the step that it gave, {}; the checkpoint of "
        "update 6 is the last",
        std::isfinite(loss) ? "is 3e+29 nats a token" : "is not finite");
    EXPECT_ERROR(own.trainer().run(), ErrorKind::kDiverged, expected);
    EXPECT_EQ(own.store.updates(), (Updates{3, 6}));
    EXPECT_EQ(own.workers.checked, (Updates{3, 6, 9}));
  }
}

// A loss of whole sentences is 0 where all samples are the same.
TEST_F(TrainerTest, NeverSavesParametersWhoseTokensHaveAnAbsurdLoss) {
  fakes.config.max_updates = 5;
  fakes.workers.loss_again = 0;
  Fakes sparse = fakes;
  fakes.workers.tokens_again = 1e21;
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "is 1e+21 nats a token");
  EXPECT_TRUE(fakes.store.saved.empty());
  sparse.workers.tokens_again = INFINITY;  // a token of probability 0
  sparse.trainer().run();
  EXPECT_EQ(sparse.store.updates(), (Updates{5}));
}

// Skipped updates leave the parameters as they are: the last step made them.
TEST_F(TrainerTest, ChecksTheLastStepBehindSkippedUpdates) {
  fakes.config.max_updates = 5;
  fakes.config.max_skipped = 4;
  for (const int64_t update : {3, 4, 5}) fakes.workers.loss_of[update] = NAN;
  fakes.workers.loss_again = NAN;
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "update 5: the loss of the last batch");
  EXPECT_EQ(fakes.workers.checked, (Updates{2}));
  EXPECT_TRUE(fakes.store.saved.empty());
}

TEST_F(TrainerTest, NeverSavesParametersWhoseGradientIsNotFinite) {
  fakes.config.max_updates = 5;
  fakes.workers.before = [&](int64_t update) {
    if (update == 5) fakes.stepper.norm_after_step = INFINITY;
  };
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged,
               "update 5: the gradient norm of the last batch");
  EXPECT_TRUE(fakes.store.saved.empty());
}

TEST_F(TrainerTest, ASignalSavesNothingThatDiverged) {
  fakes.config.max_updates = 100;
  fakes.workers.before = [&](int64_t update) {
    if (update == 3) set_caught_signal(SIGTERM);
  };
  fakes.workers.loss_again = 1e29;
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "is 1e+29 nats a token");
  EXPECT_TRUE(fakes.store.saved.empty());
}

TEST_F(TrainerTest, AValidationWithoutNumbersIsDivergence) {
  fakes.config.max_updates = 100;
  fakes.config.save_every = 4;
  Fakes samples = fakes;
  samples.validator.not_a_number = true;
  EXPECT_ERROR(samples.trainer().run(), ErrorKind::kDiverged,
               "probabilities that are not numbers; the checkpoint of update 8 is the last");
  EXPECT_EQ(samples.store.updates(), (Updates{4, 8}));
  fakes.validator.losses = {NAN};
  EXPECT_ERROR(fakes.trainer().run(), ErrorKind::kDiverged, "the validation loss is not a number");
  EXPECT_EQ(fakes.store.updates(), (Updates{4, 8}));
}

// A sparse distribution gives words the probability 0.
TEST_F(TrainerTest, AnInfiniteValidationLossIsNoDivergence) {
  fakes.config.max_updates = 10;
  fakes.validator.losses = {INFINITY};
  fakes.trainer().run();
  EXPECT_EQ(fakes.store.updates(), (Updates{10}));
}

TEST_F(TrainerTest, SignalSavesAndEnds) {
  fakes.config.max_updates = 100;
  fakes.workers.before = [](int64_t update) {
    if (update == 13) set_caught_signal(SIGTERM);
  };
  const Ending ending = fakes.trainer().run();
  EXPECT_EQ(ending.signal, SIGTERM);
  EXPECT_EQ(fakes.store.updates(), (Updates{10, 13}));
  EXPECT_EQ(fakes.validator.updates, (Updates{10}));
}

TEST_F(TrainerTest, SignalInAValidationLeavesItToTheResumedRun) {
  fakes.config.max_updates = 12;
  fakes.validator.interrupted = true;
  EXPECT_EQ(fakes.trainer().run().signal, SIGINT);
  ASSERT_EQ(fakes.store.updates(), (Updates{10}));
  EXPECT_TRUE(fakes.store.saved[0].validations.empty());

  set_caught_signal(0);
  fakes.validator.interrupted = false;
  fakes.trainer(Progress(fakes.store.saved[0])).run();
  EXPECT_EQ(fakes.validator.updates, (Updates{10, 12}));
  EXPECT_EQ(fakes.store.updates(), (Updates{10, 10, 12}));
}

TEST_F(TrainerTest, ResumesInTheMiddleOfAnEpochAndOfALogInterval) {
  holds({"--resume"});
  fakes.config.max_updates = 23;
  fakes.workers.loss_of[21] = 30;
  Fakes whole = fakes;
  whole.trainer().run();

  fakes.config.max_updates = 13;
  fakes.trainer().run();
  fakes.config.max_updates = 23;
  Progress progress = fakes.store.saved.back();
  forget_former_end(fakes.config, progress);
  fakes.trainer(progress).run();
  EXPECT_EQ(fakes.workers.numbers, whole.workers.numbers);
  ASSERT_EQ(fakes.log.lines.size(), whole.log.lines.size());
  for (size_t i = 0; i < whole.log.lines.size(); ++i) {
    EXPECT_EQ(fakes.log.lines[i].since_log.loss, whole.log.lines[i].since_log.loss);
  }
  const auto validated = [](const Fakes& of) {
    Updates updates;
    for (const Validation& one : of.store.saved.back().validations) updates.push_back(one.update);
    return updates;
  };
  EXPECT_EQ(validated(whole), (Updates{10, 20, 23}));
  EXPECT_EQ(validated(fakes), validated(whole));
}

// Nine tenths of what it was, one tenth of log p of the last update's tokens, which the fakes let
// fall by a half an update.
TEST_F(TrainerTest, BaselineIsAMovingMean) {
  fakes.config.max_updates = 3;
  fakes.trainer().run();
  ASSERT_EQ(fakes.workers.baselines.size(), 3U);
  EXPECT_FALSE(fakes.workers.baselines[0]);
  EXPECT_DOUBLE_EQ(*fakes.workers.baselines[1], -0.5);
  EXPECT_DOUBLE_EQ(*fakes.workers.baselines[2], -0.5 * 0.9 - 1.0 * 0.1);
  const Progress saved = progress_from_json(to_json(fakes.store.saved.back()), "here");
  EXPECT_DOUBLE_EQ(*saved.baseline, (-0.5 * 0.9 - 1.0 * 0.1) * 0.9 - 1.5 * 0.1);
}

TEST(ReachedLimit, SaysWhichOne) {
  TrainConfig config;
  Progress progress;
  progress.update = 10;
  EXPECT_FALSE(reached_limit(config, progress));
  config.max_updates = 10;
  EXPECT_EQ(reached_limit(config, progress)->reason, "max_updates: 10 is reached");
  config.max_updates = 11;
  EXPECT_FALSE(reached_limit(config, progress));
  config.max_time = 60;
  progress.seconds = 61;
  EXPECT_EQ(reached_limit(config, progress)->reason, "max_time: 1m 00s is reached");
}

TEST(ReachedLimit, PatienceGoesByTheMetric) {
  holds({"train.validate.metric"});
  using Course = std::vector<double>;
  const auto stops = [](const char* metric, Course loss, Course accuracy, Course text) {
    TrainConfig config;
    config.validation.metric = validation_metric(metric);
    config.validation.patience = 2;
    Progress progress;
    for (size_t i = 0; i < loss.size(); ++i) {
      progress.validations.push_back({.update = static_cast<int64_t>(i),
                                      .loss = loss[i],
                                      .accuracy = accuracy[i],
                                      .translated = {{metric, text[i]}}});
    }
    return reached_limit(config, progress).has_value();
  };
  const Course up = {0.1, 0.2, 0.3}, down = {0.3, 0.2, 0.1};
  for (const char* metric : {"loss", "perplexity"}) {
    EXPECT_TRUE(stops(metric, up, up, up));
    EXPECT_FALSE(stops(metric, down, down, down));
  }
  EXPECT_TRUE(stops("accuracy", down, down, up));
  EXPECT_FALSE(stops("accuracy", up, up, down));
  for (const char* metric : {"bleu", "rougeL", "exact", "f1"}) {
    EXPECT_TRUE(stops(metric, down, up, down));
    EXPECT_FALSE(stops(metric, up, down, up));
  }
  EXPECT_TRUE(stops("wer", down, up, up));
  EXPECT_FALSE(stops("wer", up, down, down));
}

}  // namespace
}  // namespace heed
