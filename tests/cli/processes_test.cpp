// Several processes that train one model, started as torchrun starts them.
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/trained_model.h"
#include "free_port.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// All processes of a training run.
class Processes {
 public:
  Processes(const ToyWorkshop& workshop, int count, const Arguments& arguments) {
    const std::string port = std::to_string(free_port());
    for (int rank = 0; rank < count; ++rank) start(workshop, rank, count, port, arguments);
  }
  Processes(const ToyWorkshop& workshop, const std::vector<Arguments>& of_each) {
    const std::string port = std::to_string(free_port());
    for (size_t rank = 0; rank < of_each.size(); ++rank)
      start(workshop, static_cast<int>(rank), static_cast<int>(of_each.size()), port,
            of_each[rank]);
  }

  Running& operator[](size_t rank) { return *running_[rank]; }
  std::vector<Outcome> wait() {
    std::vector<Outcome> outcomes;
    for (auto& one : running_) outcomes.push_back(one->wait());
    return outcomes;
  }
  // Waits until the first process has logged this text.
  void wait_for(const std::string& text) {
    while (running_[0]->err().find(text) == std::string::npos) {
      ASSERT_FALSE(running_[0]->has_ended()) << running_[0]->err();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

 private:
  void start(const ToyWorkshop& workshop, int rank, int count, const std::string& port,
             const Arguments& arguments) {
    running_.push_back(std::make_unique<Running>(
        arguments, RunSettings{.environment = {{"RANK", std::to_string(rank)},
                                               {"WORLD_SIZE", std::to_string(count)},
                                               {"LOCAL_RANK", std::to_string(rank)},
                                               {"LOCAL_WORLD_SIZE", std::to_string(count)},
                                               {"MASTER_ADDR", "127.0.0.1"},
                                               {"MASTER_PORT", port}},
                               .folder = workshop.path()}));
  }
  std::vector<std::unique_ptr<Running>> running_;
};

class TrainingProcesses : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  static Arguments training(const std::string& run, int workers, const Arguments& more = {}) {
    return joined(
        {"train", "toy.yaml", "--run", run, "--set", "train.max_updates=12", "--set",
         "train.validate={every: 6, metric: loss, metrics: [bleu]}", "--set", "train.log_every=2",
         "--set", "model.decoder.dropout=0.2", "--set", "train.workers=" + std::to_string(workers)},
        more);
  }
  void train_alone(const std::string& run, int workers, const Arguments& more = {}) const {
    const Outcome outcome = workshop_.run(training(run, workers, more));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  std::vector<Outcome> train(int count, const std::string& run, int workers,
                             const Arguments& more = {}) const {
    auto outcomes = Processes(workshop_, count, training(run, workers, more)).wait();
    for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcomes;
  }
  void expect_equal_models(const std::string& a, const std::string& b) const {
    for (const char* file : {"model/model.safetensors", "optimizer.safetensors"})
      EXPECT_EQ(workshop_.read(a + "/latest/" + file), workshop_.read(b + "/latest/" + file))
          << a << " and " << b << ": " << file;
  }
  // Lines of metrics.jsonl without the figures that measure time.
  std::vector<nlohmann::json> figures_of(const std::string& run) const {
    std::vector<nlohmann::json> figures;
    for (const std::string& line : lines_of(workshop_.read(run + "/metrics.jsonl"))) {
      figures.push_back(nlohmann::json::parse(line));
      for (const char* time : {"seconds", "tokens_per_second", "waiting"})
        figures.back().erase(time);
    }
    return figures;
  }
  // Validation loss after the last update.
  double validation_loss(const std::string& run) const {
    for (const auto& line : figures_of(run))
      if (line.at("kind") == "validation" && line.at("update") == 12)
        return line.at("loss").get<double>();
    return 0;
  }
  ToyWorkshop workshop_;
};

// Test sets are scored together, too.
TEST_F(TrainingProcesses, GiveTheNumbersOfAsManyWorkersAndOnlyTheFirstTalks) {
  const Arguments with_test{"--set", "data.test={toy: {source: valid.src, target: valid.tgt}}"};
  const auto outcomes = train(3, "together", 1, with_test);
  train_alone("alone", 3, with_test);
  expect_equal_models("together", "alone");
  EXPECT_EQ(figures_of("together"), figures_of("alone"));
  EXPECT_THAT(outcomes[0].err, AllOf(HasSubstr("3 processes, each on cpu with 1 worker"),
                                     HasSubstr("% waiting for processes")));
  EXPECT_EQ(outcomes[1].err, "");
  EXPECT_EQ(outcomes[1].out, "");
  const auto first = nlohmann::json::parse(lines_of(workshop_.read("together/metrics.jsonl"))[0]);
  EXPECT_GT(first.at("waiting"), 0);
  EXPECT_LE(first.at("waiting"), 1);
}

TEST_F(TrainingProcesses, AugmentTheSamePairs) {
  const Arguments augment{
      "--set", "data.augment={join: {probability: 0.3}, drop: {probability: 0.5}, emoji: 0.2}"};
  const auto outcomes = train(2, "together", 1, augment);
  train_alone("alone", 2, augment);
  expect_equal_models("together", "alone");
  EXPECT_THAT(outcomes[0].err, HasSubstr("epoch 1: augmented "));
  EXPECT_EQ(outcomes[1].err, "");
}

TEST_F(TrainingProcesses, ShardTheOptimizerWithEqualResults) {
  holds({"train.shard_optimizer"});
  const Arguments shard{"--set", "train.shard_optimizer=true"};
  train(2, "whole", 1);
  train(2, "run", 1, joined(shard, {"--set", "train.max_updates=5"}));
  train(2, "run", 1, joined(shard, {"--resume"}));
  expect_equal_models("run", "whole");
}

// A run may change the setting when it is resumed.
TEST_F(TrainingProcesses, SumGradientsDuringTheBackwardPassWithEqualResults) {
  holds({"train.reduction.overlap", "--resume"});
  train(2, "during", 2);
  train(2, "run", 2, {"--set", "train.max_updates=5"});
  train(2, "run", 2, {"--resume", "--set", "train.reduction.overlap=false"});
  expect_equal_models("run", "during");
}

TEST_F(TrainingProcesses, SendGradientsInBf16) {
  holds({"train.reduction.precision"});
  const Arguments bf16{"--set", "train.reduction.precision=bf16"};
  train(2, "rounded", 1, bf16);
  train(2, "again", 1, joined(bf16, {"--set", "train.reduction.overlap=false"}));
  train(2, "exact", 1);
  expect_equal_models("rounded", "again");
  EXPECT_NE(workshop_.read("rounded/latest/model/model.safetensors"),
            workshop_.read("exact/latest/model/model.safetensors"));
  EXPECT_NEAR(validation_loss("rounded"), validation_loss("exact"), 0.02);
  const Outcome outcome = workshop_.run(training(
      "rounded", 1,
      {"--resume", "--set", "train.max_updates=20", "--set", "train.reduction.precision=fp32"}));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
}

TEST_F(TrainingProcesses, ShareTheIndexOfTheData) {
  holds({"data.cache"});
  const Arguments cache{"--set", "data.cache=kept"};
  train(3, "whole", 1);
  EXPECT_THAT(train(3, "first", 1, cache)[0].err, HasSubstr("data.cache: wrote "));
  EXPECT_THAT(train(3, "second", 1, cache)[0].err, HasSubstr("the training text is indexed in "));
  expect_equal_models("first", "whole");
  expect_equal_models("second", "whole");
}

TEST_F(TrainingProcesses, AnErrorOfAllIsSaidOnce) {
  for (const auto& [settings, code, part] : std::vector<std::tuple<Arguments, int, std::string>>{
           {{"--set", "data.cache=kept", "--set", "data.max_length=1", "--set",
             "data.too_long=error"},
            3,
            "more than 1 tokens"},
           {{"--set", "data.train=[{source: no.src, target: train.tgt}]"}, 2, "no.src"}}) {
    const auto outcomes = Processes(workshop_, 3, training("run", 1, settings)).wait();
    EXPECT_EQ(outcomes[0].exit_code, code) << outcomes[0].err;
    EXPECT_THAT(outcomes[0].err, HasSubstr(part));
    for (const size_t rank : {1, 2}) {
      EXPECT_EQ(outcomes[rank].err, "");
      EXPECT_NE(outcomes[rank].exit_code, 0);
    }
    EXPECT_FALSE(fs::exists(workshop_ / "run"));
  }
}

TEST_F(TrainingProcesses, ARunGoesOnWithAnotherNumberOfThem) {
  train(2, "run", 1, {"--set", "train.max_updates=5"});
  const Outcome outcome = workshop_.run(training("run", 1, {"--resume"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  train_alone("whole", 2);
  EXPECT_GT(validation_loss("whole"), 0);
  EXPECT_NEAR(validation_loss("run"), validation_loss("whole"), 1e-4);
}

TEST_F(TrainingProcesses, SaveOnceAtASignalToOne) {
  Processes processes(workshop_, 2, training("run", 1, {"--set", "train.max_updates=100000"}));
  processes.wait_for("update 20");
  processes[1].send(SIGTERM);
  const auto outcomes = processes.wait();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_THAT(outcomes[0].err, HasSubstr("interrupted; saved "));
  EXPECT_EQ(outcomes[1].err, "");
  EXPECT_TRUE(fs::exists(workshop_ / "run/latest/MANIFEST.json"));
}

TEST_F(TrainingProcesses, AnotherConfigIsRefused) {
  const auto outcomes =
      Processes(workshop_, {training("run", 1), training("run", 1, {"--set", "seed=7"})}).wait();
  EXPECT_EQ(outcomes[1].exit_code, 2);
  EXPECT_THAT(outcomes[1].err, HasSubstr("process 1 of 2 differs from process 0 in: the config"));
  EXPECT_FALSE(fs::exists(workshop_ / "run"));
}

TEST_F(TrainingProcesses, AKilledOneIsNamedAndTheLastCheckpointIsWhole) {
  Processes processes(
      workshop_, 3,
      training("run", 1, {"--set", "train.max_updates=100000", "--set", "train.save_every=5"}));
  processes.wait_for("update 20");
  processes[0].send(SIGKILL);
  const auto outcomes = processes.wait();
  for (const size_t rank : {1, 2}) {
    EXPECT_EQ(outcomes[rank].exit_code, 1);
    EXPECT_THAT(outcomes[rank].err, HasSubstr("process 0 (host "));
  }
  train(2, "run", 1, {"--resume", "--set", "train.max_updates=40"});
}

TEST_F(TrainingProcesses, DryRunIsOfTheFirst) {
  const auto outcomes = Processes(workshop_, 2, training("run", 1, {"--dry-run"})).wait();
  EXPECT_THAT(outcomes[0].out, HasSubstr("parameters"));
  EXPECT_EQ(outcomes[1].out, "");
  EXPECT_EQ(outcomes[1].exit_code, 0);
}

// The process is stopped for good, which no connection notices. Each test takes half a minute.
class SlowTrainingProcesses : public TrainingProcesses {};

TEST_F(SlowTrainingProcesses, OneThatHangsIsNamed) {
  for (const size_t hanging : {0, 1}) {
    Processes processes(workshop_, 2,
                        training("run", 1, {"--overwrite", "--set", "train.max_updates=1000000"}));
    processes.wait_for("update 20");
    const auto begin = std::chrono::steady_clock::now();
    processes[hanging].send(SIGSTOP);
    const Outcome other = processes[1 - hanging].wait();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(time.count(), 60);
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, HasSubstr("process " + std::to_string(hanging) + " (host "));
    processes[hanging].send(SIGKILL);
    processes[hanging].wait();
  }
}

}  // namespace
}  // namespace heed
