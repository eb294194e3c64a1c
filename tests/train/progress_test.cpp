#include "train/progress.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../base/temporary_folder.h"
#include "train/time_left.h"

namespace heed {
namespace {

Validation validation(int64_t update, double loss, std::optional<double> bleu = {}) {
  return {.update = update, .loss = loss, .accuracy = 0.5, .bleu = bleu};
}

TEST(Progress, ComesBackFromJsonBitForBit) {
  Progress progress;
  progress.update = 1234;
  progress.examples = 5678;
  progress.skipped = 3;
  progress.skipped_in_a_row = 1;
  progress.seconds = 0.1 + 0.2;
  progress.position = {.epoch = 2, .batch = 7, .number = 99};
  progress.validations = {validation(500, 1.0 / 3), validation(1000, M_PI, 12.34)};
  progress.since_log = {.loss = 1e-17 + 1,
                        .negative_log_probability = std::sqrt(2),
                        .tokens = 10,
                        .source_tokens = 11,
                        .correct = 4,
                        .examples = 2};
  const Progress back = progress_from_json(to_json(progress), "here");
  EXPECT_EQ(back.update, 1234);
  EXPECT_EQ(back.examples, 5678);
  EXPECT_EQ(back.skipped, 3);
  EXPECT_EQ(back.skipped_in_a_row, 1);
  EXPECT_EQ(back.seconds, 0.1 + 0.2);
  EXPECT_EQ(back.position, progress.position);
  ASSERT_EQ(back.validations.size(), 2u);
  EXPECT_EQ(back.validations[0].loss, 1.0 / 3);
  EXPECT_EQ(back.validations[0].bleu, std::nullopt);
  EXPECT_EQ(back.validations[1].loss, M_PI);
  EXPECT_EQ(back.validations[1].bleu, 12.34);
  EXPECT_EQ(back.since_log.loss, progress.since_log.loss);
  EXPECT_EQ(back.since_log.negative_log_probability, std::sqrt(2));
  EXPECT_EQ(back.since_log.correct, 4);
  EXPECT_EQ(to_json(back), to_json(progress));
}

TEST(Progress, KeepsWhatIsNotANumber) {
  Progress progress;
  progress.validations = {validation(1, NAN)};
  EXPECT_TRUE(std::isnan(progress_from_json(to_json(progress), "here").validations[0].loss));
}

TEST(Progress, RefusesWhatIsNone) {
  EXPECT_ERROR(progress_from_json("{}", "a/progress.json"), ErrorKind::kModel, "a/progress.json");
  EXPECT_ERROR(progress_from_json("{\"update\": \"x\"}", "here"), ErrorKind::kModel, "here");
  EXPECT_ERROR(progress_from_json("", "here"), ErrorKind::kModel, "here");
}

TEST(Validations, BestIsTheFirstOfTheGreatest) {
  const Validations all{validation(10, 3, 1.0), validation(20, 2, 5.0), validation(30, 2, 5.0),
                        validation(40, NAN, 4.0)};
  EXPECT_EQ(best_of(all, ValidationMetric::kLoss)->update, 20);
  EXPECT_EQ(best_of(all, ValidationMetric::kBleu)->update, 20);
  EXPECT_EQ(since_best(all, ValidationMetric::kLoss), 2);
  EXPECT_EQ(best_updates(all, ValidationMetric::kLoss, 2), (std::vector<int64_t>{20, 30}));
  EXPECT_EQ(best_updates(all, ValidationMetric::kBleu, 9), (std::vector<int64_t>{20, 30, 40, 10}));
  EXPECT_EQ(scores_of(all, ValidationMetric::kBleu), (std::vector<double>{1, 5, 5, 4}));
}

TEST(Validations, AnotherMetricCountsThoseItWasMeasuredAt) {
  const Validations all{validation(10, 3), validation(20, 4, 1.0), validation(30, 5, 0.5)};
  EXPECT_EQ(best_of(all, ValidationMetric::kBleu)->update, 20);
  EXPECT_EQ(since_best(all, ValidationMetric::kBleu), 1);
  EXPECT_EQ(best_of({}, ValidationMetric::kBleu), nullptr);
  EXPECT_EQ(since_best({}, ValidationMetric::kBleu), 0);
}

TEST(Validations, PerplexityIsTheExponentialOfTheLoss) {
  EXPECT_DOUBLE_EQ(validation(1, std::log(8)).perplexity(), 8);
  EXPECT_DOUBLE_EQ(*validation(1, std::log(8)).score(ValidationMetric::kPerplexity), -8);
}

TEST(TimeLeft, IsToTheFirstLimit) {
  TrainConfig config;
  Progress progress;
  progress.update = 100;
  progress.examples = 1000;
  progress.seconds = 50;
  EXPECT_EQ(time_left(config, progress, 500), std::nullopt);
  config.max_updates = 300;
  EXPECT_DOUBLE_EQ(*time_left(config, progress, 500), 100);
  config.max_epochs = 3;
  EXPECT_DOUBLE_EQ(*time_left(config, progress, 500), 25);
  EXPECT_DOUBLE_EQ(*time_left(config, progress, 0), 100);
  config.max_time = 60;
  EXPECT_DOUBLE_EQ(*time_left(config, progress, 500), 10);
  config.max_time = 40;
  EXPECT_DOUBLE_EQ(*time_left(config, progress, 500), 0);
}

}  // namespace
}  // namespace heed
