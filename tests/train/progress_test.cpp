#include "run/progress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "../base/temporary_folder.h"
#include "holds.h"
#include "metric/registry.h"
#include "train/time_left.h"

namespace heed {
namespace {

using TextScores = std::map<std::string, double>;

Validation validation(int64_t update, double loss, std::optional<double> bleu = {}) {
  return {.update = update,
          .loss = loss,
          .accuracy = 0.5,
          .translated = bleu ? TextScores{{"bleu", *bleu}} : TextScores{}};
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
  progress.validations[1].identity = {.set = "ab", .metrics = {{"bleu", "cd"}}};
  progress.validations[1].cut = {.translated = 20, .targets = 6, .sources = 1};
  progress.validations[1].at_end = true;
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
  EXPECT_TRUE(back.validations[0].translated.empty());
  EXPECT_EQ(back.validations[1].loss, M_PI);
  EXPECT_EQ(back.validations[1].translated, (TextScores{{"bleu", 12.34}}));
  EXPECT_FALSE(back.validations[0].at_end);
  EXPECT_TRUE(back.validations[1].at_end);
  EXPECT_EQ(back.validations[0].cut.translated, 0);
  EXPECT_EQ(back.validations[1].cut.targets, 6);
  EXPECT_FALSE(back.validations[0].identity.is_known());
  EXPECT_EQ(back.validations[1].identity, progress.validations[1].identity);
  EXPECT_EQ(back.since_log.loss, progress.since_log.loss);
  EXPECT_EQ(back.since_log.negative_log_probability, std::sqrt(2));
  EXPECT_EQ(back.since_log.correct, 4);
  EXPECT_EQ(to_json(back), to_json(progress));
}

// Each score stands under its metric's own name; what no metric is called is left alone.
TEST(Progress, KeepsScoresOfTranslationsByName) {
  Progress progress;
  progress.validations = {validation(1, 2, 3)};
  std::string text = to_json(progress);
  EXPECT_NE(text.find("\"bleu\": 3.0"), std::string::npos) << text;
  text.replace(text.find("\"bleu\""), 6, "\"rougeL\": 28.8, \"wer\": 145.1, \"blue\"");
  EXPECT_EQ(progress_from_json(text, "here").validations[0].translated,
            (TextScores{{"rougeL", 28.8}, {"wer", 145.1}}));
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
  holds({"train.validate.metric"});
  const Validations all{validation(10, 3, 1.0), validation(20, 2, 5.0), validation(30, 2, 5.0),
                        validation(40, NAN, 4.0)};
  EXPECT_EQ(best_of(all, validation_metric("loss"))->update, 20);
  EXPECT_EQ(best_of(all, validation_metric("bleu"))->update, 20);
  EXPECT_EQ(since_best(all, validation_metric("loss")), 2);
  EXPECT_EQ(best_updates(all, validation_metric("loss"), 2), (std::vector<int64_t>{20, 30}));
  EXPECT_EQ(best_updates(all, validation_metric("bleu"), 9),
            (std::vector<int64_t>{20, 30, 40, 10}));
  EXPECT_EQ(scores_of(all, validation_metric("bleu")), (Scores{1, 5, 5, 4}));
}

TEST(Validations, OfEqualScoresTheLowestLossIsBest) {
  const ValidationMetric metric = validation_metric("bleu");
  const Validations all{validation(10, NAN, 0.0), validation(20, 3, 0.0), validation(30, 2, 0.0),
                        validation(40, 2.5, 0.0)};
  EXPECT_EQ(best_of(all, metric)->update, 30);
  EXPECT_EQ(since_best(all, metric), 1);
  EXPECT_EQ(best_updates(all, metric, 4), (std::vector<int64_t>{30, 40, 20, 10}));
}

// A progress file does not distinguish infinite from NaN; neither is ever the best.
TEST(Validations, WhatIsNotFiniteIsNeverTheBest) {
  const ValidationMetric metric = validation_metric("loss");
  for (const double loss : {HUGE_VAL, static_cast<double>(NAN)}) {
    const Validations all{validation(10, loss), validation(20, loss)};
    EXPECT_EQ(best_of(all, metric), nullptr);
    EXPECT_EQ(since_best(all, metric), 2);
    EXPECT_TRUE(best_updates(all, metric, 2).empty());
  }
}

TEST(Validations, AnotherMetricCountsThoseItWasMeasuredAt) {
  const Validations all{validation(10, 3), validation(20, 4, 1.0), validation(30, 5, 0.5)};
  EXPECT_EQ(best_of(all, validation_metric("bleu"))->update, 20);
  EXPECT_EQ(since_best(all, validation_metric("bleu")), 1);
  EXPECT_EQ(best_of({}, validation_metric("bleu")), nullptr);
  EXPECT_EQ(since_best({}, validation_metric("bleu")), 0);
}

TEST(Validations, OfAnErrorRateTheLowestIsBest) {
  holds({"train.validate.metric"});
  const ValidationMetric metric = validation_metric("wer");
  const auto at = [](int64_t update, double wer) {
    return Validation{.update = update, .translated = {{"wer", wer}}};
  };
  const Validations all{at(10, 50), at(20, 30), at(30, 40)};
  EXPECT_EQ(best_of(all, metric)->update, 20);
  EXPECT_EQ(since_best(all, metric), 1);
  EXPECT_EQ(scores_of(all, metric), (Scores{-50, -30, -40}));
}

// 20 and 30 were made with another set, then with other settings of BLEU; 40 and 50 with both.
TEST(Validations, AreComparedOnlyWithTheirLike) {
  Validations all{validation(10, 1, 50.0), validation(20, 2, 60.0), validation(30, 5, 70.0),
                  validation(40, 4, 1.0), validation(50, 3, 0.5)};
  all[0].identity = {.set = "a", .metrics = {{"bleu", "1"}}};
  all[1].identity = {.set = "b", .metrics = {{"bleu", "1"}}};
  for (const size_t i : {2, 3, 4}) all[i].identity = {.set = "b", .metrics = {{"bleu", "2"}}};
  all[2].identity.metrics["bleu"] = "1";
  const ValidationMetric loss = validation_metric("loss"), bleu = validation_metric("bleu");
  EXPECT_EQ(best_of(all, loss)->update, 20);
  EXPECT_EQ(since_best(all, loss), 3);
  EXPECT_EQ(best_updates(all, loss, 9), (std::vector<int64_t>{20, 50, 40, 30}));
  EXPECT_EQ(incomparable(all, loss), 1);
  EXPECT_EQ(best_of(all, bleu)->update, 40);
  EXPECT_EQ(since_best(all, bleu), 1);
  EXPECT_EQ(best_updates(all, bleu, 9), (std::vector<int64_t>{40, 50}));
  EXPECT_EQ(incomparable(all, bleu), 3);
  EXPECT_EQ(scores_of(all, bleu), (Scores{50, {60, true}, 70, {1, true}, 0.5}));
  EXPECT_EQ(scores_of(all, loss), (Scores{-1, {-2, true}, -5, -4, -3}));

  all.now = {.set = "c", .metrics = {{"bleu", "2"}}};  // before the first validation of a new set
  for (const auto* metric : {&loss, &bleu}) {
    EXPECT_EQ(best_of(all, *metric), nullptr);
    EXPECT_EQ(since_best(all, *metric), 0);
    EXPECT_TRUE(best_updates(all, *metric, 9).empty());
    EXPECT_EQ(incomparable(all, *metric), 5);
  }
}

TEST(Validations, AreComparedByAnySingleMetric) {
  std::set<std::string> names;
  for (const auto& [word, metric] : validation_metrics()) {
    EXPECT_EQ(word, metric.name);
    names.insert(word);
  }
  for (const std::string& name : single_metric_names()) EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("rouge"));
  EXPECT_FALSE(validation_metric("accuracy").translates);
  EXPECT_TRUE(validation_metric("rougeL").translates);
}

TEST(Validations, AreDescribedUnderTheMetricsName) {
  Validation scores = validation(1, 0, 12.345);
  scores.translated["rougeL"] = 28.8;
  EXPECT_EQ(describe(scores),
            "loss 0.0000, perplexity 1.00, accuracy 50.00%, BLEU 12.35, ROUGE-L 28.80");
}

TEST(Validations, PerplexityIsTheExponentialOfTheLoss) {
  holds({"train.validate.metric"});
  EXPECT_DOUBLE_EQ(validation(1, std::log(8)).perplexity(), 8);
  EXPECT_DOUBLE_EQ(*validation(1, std::log(8)).score(validation_metric("perplexity")), -8);
}

TEST(CutLines, OfAModelThatRepeatsItselfNeedNoLargerLimit) {
  EXPECT_EQ(explain({.translated = 50, .targets = 50, .repeating = 26}),
            "50 of 50 translations cut or shortened by the maximum length; metrics score what is "
            "left; most of these translations repeat themselves, as those of a model do that is "
            "hardly trained");
  EXPECT_EQ(explain({.translated = 50, .targets = 50, .repeating = 25}),
            "50 of 50 translations cut or shortened by the maximum length; metrics score what is "
            "left; a larger search.max_length_ratio or search.max_length_extra allows more");
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
