// metrics.jsonl across resumes, and the same figures for TensorBoard.
#include "train/metrics_file.h"

#include <gmock/gmock.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "captured_log.h"
#include "holds.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Progress progress_at(int64_t update) {
  Progress progress;
  progress.update = update;
  progress.since_log = {.loss = 25, .tokens = 10, .source_tokens = 9, .correct = 4, .examples = 2};
  return progress;
}

// A number in 8 bytes, the lowest first.
uint64_t number_at(const std::string& bytes, size_t at) {
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i)
    number |= uint64_t{static_cast<unsigned char>(bytes.at(at + i))} << (8 * i);
  return number;
}

// A TFRecord is 8 bytes of length, 4 of checksum, the message and 4 of checksum.
std::vector<std::string> messages_of(const fs::path& file) {
  const std::string bytes = read_plainly(file);
  std::vector<std::string> messages;
  for (size_t at = 0; at < bytes.size();) {
    messages.push_back(bytes.substr(at + 12, number_at(bytes, at)));
    at += 16 + messages.back().size();
  }
  return messages;
}

// Field 1 is a double after one byte.
double time_of(const std::string& message) { return std::bit_cast<double>(number_at(message, 1)); }

class MetricsFileTest : public testing::Test {
 protected:
  MetricsFile open(const Progress& progress, bool with_events = false) const {
    const auto events = with_events ? std::optional(folder_ / "tensorboard") : std::nullopt;
    return {folder_ / "metrics.jsonl", progress, events};
  }
  std::string lines() const { return read_plainly(folder_ / "metrics.jsonl"); }
  std::vector<fs::path> event_files() const { return list_folder(folder_ / "tensorboard"); }
  TemporaryFolder folder_;
};

TEST_F(MetricsFileTest, WritesNoEventsUnlessAsked) {
  open({}).updates(progress_at(50), {}, {.tokens_per_second = 100});
  EXPECT_THAT(folder_.names(), ElementsAre("metrics.jsonl"));
}

TEST_F(MetricsFileTest, TheEndIsALineThatAResumeRemoves) {
  open({}).ended(400, kFinished, "max_updates: 400 is reached");
  EXPECT_EQ(nlohmann::json::parse(lines()),
            nlohmann::json::parse(R"({"kind": "end", "update": 400, "state": "finished",
                                      "reason": "max_updates: 400 is reached"})"));
  open(progress_at(400));
  EXPECT_EQ(lines(), "");
}

// The best of the missing ones would be missing in `heed runs`.
TEST_F(MetricsFileTest, TellsOfValidationsThatTheCheckpointHasAlone) {
  Progress progress = progress_at(30);
  for (const int64_t update : {10, 20, 30}) progress.validations.push_back({.update = update});
  MetricsFile metrics = open({});
  for (const Validation& validation : progress.validations) metrics.validated(validation, true, 1);
  CapturedLog whole;
  open(progress);
  EXPECT_EQ(whole.end(), "");
  const std::string text = lines();
  write_plainly(folder_ / "metrics.jsonl", text.substr(text.find('\n') / 2));
  CapturedLog log;
  open(progress);
  EXPECT_THAT(log.end(), HasSubstr("metrics.jsonl: lacks 1 of 3 validations of the checkpoint"));
}

TEST_F(MetricsFileTest, TensorBoardHasTheFiguresOfALine) {
  holds({"train.tensorboard"});
  MetricsFile metrics = open({}, true);
  metrics.updates(progress_at(50), {.rate = 0.001, .gradient_norm = 0.5},
                  {.tokens_per_second = 100});
  metrics.validated({.update = 50, .loss = 2, .accuracy = 0.25, .translated = {{"bleu", 12.5}}},
                    true, 7);
  ASSERT_EQ(event_files().size(), 1u);
  const auto messages = messages_of(event_files()[0]);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0], version_event(time_of(messages[0])));
  EXPECT_EQ(messages[1], scalars_event(time_of(messages[1]), 50,
                                       {{"train/loss", 2.5},
                                        {"train/negative_log_probability", 0},
                                        {"train/perplexity", 1},
                                        {"train/accuracy", 0.4},
                                        {"train/learning_rate", 0.001},
                                        {"train/gradient_norm", 0.5},
                                        {"train/skipped", 0},
                                        {"train/tokens_per_second", 100}}));
  EXPECT_EQ(messages[2], scalars_event(time_of(messages[2]), 50,
                                       {{"validation/loss", 2},
                                        {"validation/perplexity", std::exp(2)},
                                        {"validation/accuracy", 0.25},
                                        {"validation/bleu", 12.5}}));
}

TEST_F(MetricsFileTest, AResumedRunTellsTensorBoardWhereItStarts) {
  open({}, true).updates(progress_at(50), {}, {.tokens_per_second = 100});
  open(progress_at(30), true).updates(progress_at(60), {}, {.tokens_per_second = 100});
  ASSERT_EQ(event_files().size(), 2u);
  const auto messages = messages_of(event_files()[1]);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1], start_event(time_of(messages[1]), 31));
  EXPECT_THAT(lines(), Not(HasSubstr("\"update\":50"))) << "it is later than the checkpoint";
}

}  // namespace
}  // namespace heed
