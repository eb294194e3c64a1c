#include "train/train_config.h"

#include <gtest/gtest.h>

#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"

namespace heed {
namespace {

std::vector<std::string> problems(const std::string& text) {
  TrainConfig config;
  std::vector<std::string> messages;
  for (const Problem& problem : find_problems(text, "config", config)) {
    messages.push_back(problem.path);
  }
  return messages;
}

TEST(TrainConfig, ReadsTheExampleOfTheManual) {
  holds({"train.max_time"});
  TrainConfig config;
  read_config_text(R"(
batch: {tokens: 4096}
optimizer: {type: adam, rate: 0.002}
schedule: {type: inverse_sqrt, warmup: 1000}
label_smoothing: 0.1
max_updates: 2500
max_time: 90m
validate: {every: 500, metric: bleu, patience: 5}
keep: {best: 1, last: 2}
)",
                   "config", config);
  EXPECT_EQ(config.batch.tokens, 4096);
  EXPECT_EQ(config.optimizer->rate, 0.002);
  EXPECT_EQ(config.schedule->factor(500, {}), 0.5);
  EXPECT_EQ(config.max_time, 5400);
  EXPECT_EQ(config.validation.metric, validation_metric("bleu"));
  EXPECT_EQ(config.validation.patience, 5);
  EXPECT_EQ(config.workers, std::nullopt);

  TrainConfig again;
  const std::string written = write_config(config);
  read_config_text(written, "written", again);
  EXPECT_EQ(write_config(again), written);
}

TEST(TrainConfig, TakesEverySingleMetric) {
  holds({"train.validate.metric"});
  for (const auto& [word, metric] : validation_metrics()) {
    TrainConfig config;
    read_config_text(fmt::format("{{max_epochs: 1, validate: {{metric: {}}}}}", word), "config",
                     config);
    EXPECT_EQ(config.validation.metric, metric);
    EXPECT_EQ(config.validation.test_metric(), metric.translates ? word : "bleu");
  }
  EXPECT_EQ(problems("{max_epochs: 1, validate: {metric: rouge}}"),
            (std::vector<std::string>{"validate.metric"}));
}

TEST(TrainConfig, TheTokenizerIsThatOfBleu) {
  holds({"train.validate.tokenize"});
  for (const char* metric : {"bleu", "loss"}) {
    TrainConfig config;
    read_config_text(
        fmt::format("{{max_epochs: 1, validate: {{metric: {}, tokenize: char}}}}", metric),
        "config", config);
    EXPECT_EQ(config.validation.metric_options().bleu.tokenizer, "char");
  }
  for (const char* validate : {"{metric: bleu, tokenize: ja}", "{metric: wer, tokenize: char}"}) {
    EXPECT_EQ(problems(fmt::format("{{max_epochs: 1, validate: {}}}", validate)),
              (std::vector<std::string>{"validate.tokenize"}));
  }
}

TEST(TrainConfig, PlateauIsAsItsKeysSay) {
  holds({"train.schedule.decay", "train.schedule.lowest", "train.schedule.patience",
         "train.schedule=plateau"});
  TrainConfig config;
  read_config_text(
      "{max_epochs: 1, schedule: {type: plateau, decay: 0.2, patience: 1, lowest: 0.1, warmup: 8}}",
      "config", config);
  EXPECT_EQ(config.schedule->factor(4, {}), 0.5);
  EXPECT_EQ(config.schedule->factor(8, {2, 1}), 0.2);
  EXPECT_EQ(config.schedule->factor(8, {3, 2, 1}), 0.1);
}

TEST(TrainConfig, WantsALimit) {
  EXPECT_EQ(problems("clip: 1"), (std::vector<std::string>{""}));
  EXPECT_TRUE(problems("max_epochs: 3").empty());
}

TEST(TrainConfig, NesterovNeedsMomentum) {
  EXPECT_EQ(problems("{max_epochs: 3, optimizer: {type: sgd, nesterov: true}}"),
            (std::vector<std::string>{"optimizer.nesterov"}));
  EXPECT_TRUE(
      problems("{max_epochs: 3, optimizer: {type: sgd, momentum: 0.9, nesterov: true}}").empty());
}

TEST(TrainConfig, EveryOptimizerHasItsOwnRate) {
  TrainConfig config;
  read_config_text("{max_epochs: 1, optimizer: sgd}", "config", config);
  EXPECT_EQ(config.optimizer->rate, 0.1);
  EXPECT_EQ(config.optimizer->type, "sgd");
}

}  // namespace
}  // namespace heed
