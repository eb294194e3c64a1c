#include "train/train_log.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "../base/pseudo_terminal.h"
#include "../base/temporary_folder.h"
#include "base/log.h"
#include "captured_log.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// A terminal in the place of stderr, until what it shows is asked for.
class Terminal {
 public:
  Terminal() : saved_(dup(STDERR_FILENO)) { dup2(ends_.terminal, STDERR_FILENO); }
  ~Terminal() {
    give_back();
    close(saved_);
  }
  std::string shown() const {
    give_back();
    return ends_.shown();
  }

 private:
  void give_back() const { dup2(saved_, STDERR_FILENO); }
  PseudoTerminal ends_;
  int saved_;
};

// A fifth of a run, in four seconds.
class RunLogTest : public testing::Test {
 protected:
  RunLogTest() { config_.max_updates = 100; }
  void TearDown() override { set_up_log("info"); }
  void run(RunLog& log) {
    Progress progress;
    progress.update = 20;
    progress.seconds = 4;
    progress.since_log = {.loss = 30, .tokens = 10, .correct = 4};
    log.tick(progress);
    log.updates(progress, {.rate = 0.01, .gradient_norm = 0.5});
  }
  TemporaryFolder folder_;
  TrainConfig config_;
  MetricsFile metrics_{folder_ / "metrics.jsonl", {}};
};

constexpr const char* kPlain =
    "update 20 of 100, epoch 1, 20% done: loss 3.0000, accuracy 40.00%, learning rate 0.01, "
    "gradient norm 0.5, 2 tokens/s, 4.0s, 16s left";

TEST_F(RunLogTest, WritesPlainLinesWhereThereIsNoTerminal) {
  holds({"train.log_every"});
  CapturedLog captured;
  {
    RunLog log(metrics_, config_, 0, {});
    run(log);
  }
  const std::string shown = captured.end();
  EXPECT_THAT(shown, HasSubstr(std::string(kPlain) + "\n"));
  EXPECT_THAT(shown, Not(HasSubstr("\r")));
  EXPECT_EQ(nlohmann::json::parse(read_plainly(folder_ / "metrics.jsonl"))["update"], 20);
}

TEST_F(RunLogTest, ShowsUpdateLinesAboveTheProgressLineOnATerminal) {
  std::string shown;
  {
    const Terminal terminal;
    log_to_file(folder_ / "train.log");
    RunLog log(metrics_, config_, 0, {});
    run(log);
    shown = terminal.shown();
  }
  const std::string progress = "update 20 of 100, epoch 1, 20% done: loss 3.0000, 2 tokens/s, 16s ";
  EXPECT_THAT(shown, testing::StartsWith(progress));
  EXPECT_THAT(shown, HasSubstr(kPlain));
  EXPECT_GT(shown.rfind(progress), shown.find(kPlain)) << "the progress line stays below";
  EXPECT_THAT(read_plainly(folder_ / "train.log"), HasSubstr(kPlain));
}

// The log at the end, a number of updates behind the last validation.
std::string last_lines(RunLog& log, int64_t updates_behind) {
  CapturedLog captured;
  Progress progress;
  progress.update = 20;
  progress.validations.push_back({.update = 20 - updates_behind, .loss = 1, .accuracy = 0.5});
  log.ended(progress, "max_updates: 20 is reached");
  return captured.end();
}

TEST_F(RunLogTest, EachValidationCountsWhatWasCutAndTheFirstSaysWhatAllowsMore) {
  CapturedLog captured;
  RunLog log(metrics_, config_, 0, {});
  Progress progress;
  for (const int64_t update : {10, 20}) {
    progress.update = update;
    progress.validations.push_back(
        {.update = update, .loss = 1, .cut = {.translated = 20, .targets = 6, .sources = 1}});
    log.validated(progress, {});
  }
  const std::string shown = captured.end();
  const std::string cut =
      "6 of 20 translations cut or shortened by the maximum length, 1 of 20 source lines cut";
  EXPECT_THAT(shown, HasSubstr("after update 10: loss 1.0000, perplexity 2.72, accuracy 0.00%; " +
                               cut + "; best loss\n"));
  EXPECT_THAT(shown, HasSubstr("after update 20: loss 1.0000, perplexity 2.72, accuracy 0.00%; " +
                               cut + "\n"));
  const std::string warning =
      cut +
      "; metrics score what is left; a larger search.max_length_ratio or search.max_length_extra, "
      "and search.max_source_length allows more";
  EXPECT_THAT(shown, HasSubstr("validation: " + warning));
  EXPECT_EQ(shown.find(warning), shown.rfind(warning));
  const std::string lines = read_plainly(folder_ / "metrics.jsonl");
  const auto line = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(line["cut"], 6);
  EXPECT_EQ(line["cut_sources"], 1);
}

// Translations of the first updates repeat themselves: a larger limit would add repetitions only.
TEST_F(RunLogTest, TellsCutsThatRepeatThemselvesFromOthers) {
  CapturedLog captured;
  RunLog log(metrics_, config_, 0, {});
  Progress progress;
  for (const int64_t repeating : {6, 5, 3, 0}) {
    progress.update += 10;
    progress.validations.push_back(
        {.update = progress.update,
         .loss = 1,
         .cut = {.translated = 20, .targets = 6, .repeating = repeating}});
    log.validated(progress, {});
  }
  const std::string shown = captured.end();
  const std::string cut =
      "warning: validation: 6 of 20 translations cut or shortened by the maximum length; metrics "
      "score what is left; ";
  const std::string first = cut +
                            "most of these translations repeat themselves, as those of a model do "
                            "that is hardly trained\n",
                    later = cut +
                            "a larger search.max_length_ratio or search.max_length_extra allows "
                            "more\n";
  for (const std::string& warning : {first, later}) {
    EXPECT_THAT(shown, HasSubstr(warning));
    EXPECT_EQ(shown.find(warning), shown.rfind(warning));
  }
}

TEST_F(RunLogTest, SaysWhyItValidatesAtTheEnd) {
  CapturedLog captured;
  RunLog log(metrics_, config_, 0, {});
  Progress progress;
  progress.update = 1315;
  log.validates_at_end(progress, "max_time: 1m 00s is reached");
  progress.validations.push_back({.update = 1200, .loss = 1});
  log.validates_at_end(progress, "max_time: 1m 00s is reached");
  const std::string shown = captured.end();
  EXPECT_THAT(shown, HasSubstr("max_time: 1m 00s is reached; validates at the end, after update "
                               "1,315\n"));
  EXPECT_THAT(shown, HasSubstr("max_time: 1m 00s is reached; validates once more at the end, after "
                               "update 1,315\n"));
}

TEST_F(RunLogTest, SaysWhichUpdatesBestCannotHave) {
  config_.validation.every = 15;
  RunLog log(metrics_, config_, 0, {});
  EXPECT_THAT(last_lines(log, 5), HasSubstr("the last 5 updates were not validated "
                                            "(validate.every: 15), so `best` is older"));
  EXPECT_THAT(last_lines(log, 0), Not(HasSubstr("not validated")));
}

}  // namespace
}  // namespace heed
