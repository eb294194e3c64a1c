// Training phases, from the config to the log and the run folder.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PhasesOfAConfig : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    for (const char* side : {"src", "tgt"})
      write_plainly(workshop_ / (std::string("more.") + side), toy_lines(3, 200) + "zebra a\n");
  }
  Outcome train(const std::string& phases, const Arguments& more = {}) const {
    return workshop_.run(joined(
        {"train", "toy.yaml", "--set", "train.phases=" + phases, "--set", "train.max_updates=12",
         "--set", "train.validate.every=100", "--set", "train.log_every=1"},
        more));
  }
  std::vector<nlohmann::json> metrics() const {
    std::vector<nlohmann::json> lines;
    for (const std::string& line : lines_of(workshop_.read("runs/toy/metrics.jsonl"))) {
      auto json = nlohmann::json::parse(line);
      for (const char* clock : {"seconds", "tokens_per_second"}) json.erase(clock);
      if (json["kind"] == "train") lines.push_back(std::move(json));
    }
    return lines;
  }
  ToyWorkshop workshop_;
};

const char* const kPhases =
    "[{after: 4, train: {optimizer: {rate: 0.001}, batch: {sentences: 16}}, data: {train: "
    "[{source: more.src, target: more.tgt}]}},"
    " {after: 8, train: {schedule: constant, label_smoothing: 0.1}, model: {decoder: {dropout: "
    "0.2}}, reset: [optimizer, schedule]}]";

TEST_F(PhasesOfAConfig, ThatNeverBeginAreWarnedOf) {
  const Outcome outcome = train("[{after: 12, train: {clip: 2}}]");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: train.phases[0].after: 12: the training ends before "
                                     "that: train.max_updates is 12"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("begins: phase")));
}

TEST_F(PhasesOfAConfig, AreTrainedLoggedAndStored) {
  holds({"train.phases[].after", "train.phases[].train", "train.phases[].data",
         "train.phases[].model", "train.phases[].reset"});
  const Outcome outcome = train(kPhases);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("phase 2, after update 4: train: {"),
                                 HasSubstr("begins: phase 3, after update 8: train: {"),
                                 HasSubstr("model: {decoder: {dropout: 0.2}}"),
                                 HasSubstr("reset: [optimizer, schedule]"),
                                 HasSubstr("phase 2: more.src + more.tgt")));
  const auto lines = metrics();
  ASSERT_EQ(lines.size(), 12U);
  const auto rate = [](const nlohmann::json& line) { return line.at("rate").get<double>(); };
  EXPECT_DOUBLE_EQ(rate(lines[3]), 0.005 * 4 / 50);
  EXPECT_DOUBLE_EQ(rate(lines[4]), 0.001 * 5 / 50);
  EXPECT_DOUBLE_EQ(rate(lines[8]), 0.001);
  EXPECT_EQ(lines[3]["epoch"], 1);
  EXPECT_EQ(lines[4]["epoch"], 2) << "other data begin an epoch";
  EXPECT_EQ(lines[8]["epoch"], 2) << "the same data do not";
  // The stored config holds the settings that differ, with all values as the writer formats them.
  EXPECT_THAT(workshop_.read("runs/toy/config.yaml"),
              AllOf(HasSubstr("after: 4"), HasSubstr("label_smoothing: 0.1")));
  // The vocabularies hold the words of all phases.
  EXPECT_THAT(outcome.err, HasSubstr("vocabulary: source and target 15 words"));
}

TEST_F(PhasesOfAConfig, ResumedEqualUninterrupted) {
  holds({"--resume"});
  ASSERT_EQ(train(kPhases).exit_code, 0);
  const auto whole = metrics();
  for (const char* stop : {"4", "6", "8"}) {
    const std::string limit = std::string("train.max_updates=") + stop;
    ASSERT_EQ(train(kPhases, {"--overwrite", "--set", limit}).exit_code, 0);
    const Outcome resumed = train(kPhases, {"--resume"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(metrics(), whole) << stop;
  }
  // The phases are the same if they are written differently; with another value they are not.
  EXPECT_EQ(train("[{after: 4, train: {optimizer: {type: adam, rate: 1e-3}, batch: {sentences: "
                  "16}}, data: {train: [{source: more.src, target: more.tgt, weight: 1}]}},"
                  " {after: 8, train: {schedule: {type: constant, warmup: 0}, label_smoothing: "
                  "1e-1}, model: {decoder: {dropout: 0.20}}, reset: [optimizer, schedule]}]",
                  {"--resume"})
                .exit_code,
            0);
  EXPECT_FAILS(train("[{after: 4, train: {clip: 2}}]", {"--resume"}), 2, "train.phases[0]");
}

TEST_F(PhasesOfAConfig, TrainIn8BitsFromAnUpdateOn) {
  holds({"train.int8"});
  const char* phases = "[{after: 6, train: {int8: true}}]";
  for (const std::string precision : {"fp32", "bf16"}) {
    const Arguments in_format{"--overwrite", "--set", "train.precision=" + precision};
    ASSERT_EQ(train("[]", in_format).exit_code, 0);
    const auto plain = metrics();
    ASSERT_EQ(train(phases, in_format).exit_code, 0);
    const auto whole = metrics();
    for (size_t update = 0; update < 12; ++update)
      EXPECT_EQ(whole[update] == plain[update], update < 6) << update;
    EXPECT_NEAR(whole[6]["loss"].get<double>(), plain[6]["loss"].get<double>(), 0.05);
    ASSERT_EQ(train(phases, joined(in_format, {"--set", "train.max_updates=8"})).exit_code, 0);
    ASSERT_EQ(train(phases, {"--resume", "--set", "train.precision=" + precision}).exit_code, 0);
    EXPECT_EQ(metrics(), whole);
    // Gradient checkpointing computes the same in the backward pass.
    ASSERT_EQ(
        train(phases, joined(in_format, {"--set", "train.gradient_checkpointing=true"})).exit_code,
        0);
    EXPECT_NEAR(metrics().back()["loss"].get<double>(), whole.back()["loss"].get<double>(), 1e-6);
  }
}

TEST_F(PhasesOfAConfig, AreShownByADryRun) {
  const Outcome outcome = train(kPhases, {"--dry-run"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("phase 2, after update 4"), HasSubstr("phase 3, after update 8")));
  EXPECT_FALSE(std::filesystem::exists(workshop_ / "runs/toy"));
}

// Lowest learning rate of a phase and of the whole run.
TEST_F(PhasesOfAConfig, SayWhereASchedulesLowestRateIsReached) {
  const std::string linear = "{type: linear, updates: 5}", stays = "the learning rate stays at ";
  const auto log = [&](const std::string& phases, const Arguments& more = {}) {
    const Outcome outcome = train(phases, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(log("[{after: 4, train: {schedule: " + linear + "}, reset: [schedule]}]"),
              HasSubstr(stays + "its minimum, 0, from update 9 on"));
  EXPECT_THAT(log("[{after: 4, train: {schedule: constant}}]",
                  {"--overwrite", "--set", "train.schedule=" + linear}),
              Not(HasSubstr(stays)));
}

// The corpus of the second phase has alignments, the corpora of the first phase do not.
TEST_F(PhasesOfAConfig, ReadAlignmentsFromThePhaseOnThatNeedsThem) {
  std::string links;
  for (const std::string& line : lines_of(workshop_.read("train.src"))) {
    for (int i = 0; i <= std::count(line.begin(), line.end(), ' '); ++i)
      links += (i > 0 ? " " : "") + std::to_string(i) + "-" + std::to_string(i);
    links += "\n";
  }
  write_plainly(workshop_ / "train.align", links);
  const Outcome outcome = train(
      "[{after: 4, train: {guided_alignment: {weight: 1}}, data: {train: [{source: train.src, "
      "target: train.tgt, alignment: train.align}]}}]");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

}  // namespace
}  // namespace heed
