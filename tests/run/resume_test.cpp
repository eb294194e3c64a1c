#include "run/resume.h"

#include <gtest/gtest.h>

#include <optional>

#include "../base/temporary_folder.h"
#include "config/reader.h"
#include "run/run_config.h"
#include "run/run_phases_config.h"

namespace heed {
namespace {

constexpr const char* kBefore =
    "run: runs/a\ndevice: cpu\ndata: {dir: /data, train: [{source: s, target: t}], "
    "valid: {source: s, target: t}}\n"
    "text: {source: {type: words}, target: {type: words}}\nmodel: {decoder: {width: 512}}\n"
    "train: {max_updates: 100, workers: 2, batch: {tokens: 4096}, validate: {every: 10}}\n";

// The config with these changes, "train.keep.last=2".
RunConfig config(const std::vector<std::string>& changes = {}) {
  RunConfig read;
  std::vector<Override> overrides;
  for (const std::string& change : changes) overrides.push_back(parse_override(change));
  std::vector<Problem> problems;
  const std::optional<Node> tree = read_tree(kBefore, "config", overrides, problems);
  if (tree) {
    for (const Problem& problem : find_problems(*tree, "config", read)) problems.push_back(problem);
    read_phases(*tree, "config", read, problems);
  }
  for (const Problem& problem : problems) ADD_FAILURE() << problem.text();
  return read;
}

std::vector<ChangedSetting> refused(RunConfig before, RunConfig now) {
  return refused_changes({before, before.train}, {now, now.train, now.phases});
}

// True if a run with the settings `before` cannot be resumed with one more change.
bool refuses(std::vector<std::string> before, const std::string& change) {
  const RunConfig first = config(before);
  before.push_back(change);
  return !refused(first, config(before)).empty();
}

TEST(Resume, TakesOtherLimitsValidationLoggingAndSearch) {
  for (const char* change : {"run=b",
                             "device=cuda",
                             "data.dir=/other",
                             "data.test={other: {source: s, target: t}}",
                             "data.min_kept=0.5",
                             "data.cache=c",
                             "init={model: m}",

                             "search.beam=7",
                             "search.allow_unknown=true",
                             "train.max_updates=7",
                             "train.max_epochs=7",
                             "train.max_time=1h",
                             "train.max_skipped=7",
                             "train.validate.every=7",
                             "train.validate.metrics=[ter]",
                             "train.keep.last=7",
                             "train.log_every=7",
                             "train.save_every=7",
                             "train.tensorboard=true",
                             "train.shard_optimizer=true",
                             "train.reduction.overlap=false",
                             "train.gradient_checkpointing=true"}) {
    EXPECT_FALSE(refuses({}, change)) << change;
  }
  RunConfig same = config();
  EXPECT_NO_THROW(check_resumable({same, same.train}, {same, same.train}, "runs/a"));
}

// Translations of these lengths are what it learns from.
TEST(Resume, RefusesOtherLengthsBesideALossOfWholeSentences) {
  const std::string sequence = "train.sequence_loss={metric: bleu}",
                    in_phase = "train.phases=[{after: 7, train: {sequence_loss: {metric: bleu}}}]",
                    none = "train.phases=[{after: 7, train: {clip: 7}}]";
  for (const char* change :
       {"search.max_length_ratio=7", "search.max_length_extra=7", "train.validate.tokenize=char"}) {
    EXPECT_TRUE(refuses({"train.validate.metric=bleu", sequence}, change)) << change;
    EXPECT_TRUE(refuses({"train.validate.metric=bleu", in_phase}, change)) << change;
    EXPECT_FALSE(refuses({"train.validate.metric=bleu", none}, change)) << change;
    EXPECT_FALSE(refuses({"train.validate.metric=bleu"}, change)) << change;
  }
  EXPECT_FALSE(refuses({sequence}, "search.beam=7"));
}

TEST(Resume, RefusesOtherScoresBesideAPlateauSchedule) {
  const std::string bleu = "train.validate.metric=bleu";
  for (const std::string plateau :
       {"train.schedule=plateau", "train.phases=[{after: 7, train: {schedule: {type: plateau}}}]",
        "train.phases=[{after: 7, train: {schedule: plateau}}]"}) {
    EXPECT_TRUE(refuses({plateau}, "train.validate.metric=accuracy"));
    EXPECT_TRUE(refuses({plateau}, "train.validate.every=7"));
    for (const char* change : {"train.validate.beam=7", "train.validate.max_sentences=7",
                               "search.beam=7", "search.length_penalty=0.7"}) {
      EXPECT_TRUE(refuses({plateau, bleu}, change)) << change;
      EXPECT_FALSE(refuses({plateau}, change)) << change;
      EXPECT_FALSE(refuses({bleu}, change)) << change;
    }
    EXPECT_TRUE(refuses({plateau, bleu}, "train.validate.tokenize=char"));
    EXPECT_FALSE(refuses({plateau, bleu}, "train.validate.samples=7"));
  }
}

TEST(Resume, RefusesEverythingElse) {
  for (const std::string change :
       {"seed=7", "model.decoder.width=256", "train.batch.tokens=7", "train.workers=7",
        "train.clip=7.0", "train.reduction.precision=bf16", "data.max_length=7",
        "data.train[0].source=other", "train.precision=bf16"}) {
    const auto changes = refused(config(), config({change}));
    ASSERT_EQ(changes.size(), 1u) << change;
    EXPECT_EQ(changes[0].key + "=" + changes[0].now, change);
  }
}

TEST(Resume, SaysOldAndNewValueOfAll) {
  RunConfig before = config(), now = config({"seed=2", "train.sequence_loss={}"});
  EXPECT_ERROR(check_resumable({before, before.train}, {now, now.train}, "runs/a"),
               ErrorKind::kUsage, "(seed: was 1, is 2; train.sequence_loss: was ~, is (not set)");
}

}  // namespace
}  // namespace heed
