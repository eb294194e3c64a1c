#include "train/resume.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"

namespace heed {
namespace {

const FlatConfig kBefore{{"run", "runs/a"},
                         {"seed", "1"},
                         {"device", "cpu"},
                         {"data.dir", "/data"},
                         {"model.decoder.width", "512"},
                         {"search.beam", "5"},
                         {"train.batch.tokens", "4096"},
                         {"train.max_updates", "100"},
                         {"train.validate.every", "10"},
                         {"train.keep.last", "2"},
                         {"train.log_every", "50"},
                         {"train.workers", "2"}};

FlatConfig with(std::string key, std::string value) {
  FlatConfig config = kBefore;
  config[std::move(key)] = std::move(value);
  return config;
}

TEST(Resume, TakesOtherLimitsValidationLoggingAndSearch) {
  for (const char* key : {"run", "device", "data.dir", "search.beam", "train.max_updates",
                          "train.max_epochs", "train.validate.every", "train.keep.last",
                          "train.log_every", "train.save_every", "data.test.other.source"}) {
    EXPECT_TRUE(refused_changes(kBefore, with(key, "7")).empty()) << key;
  }
  EXPECT_NO_THROW(check_resumable(kBefore, kBefore, "runs/a"));
}

// Translations of these lengths are what it learns from.
TEST(Resume, RefusesOtherLengthsBesideALossOfWholeSentences) {
  const auto refused = [](FlatConfig before, const char* key) {
    FlatConfig now = before;
    now[key] = "7";
    return refused_changes(before, now).size();
  };
  const FlatConfig sequence = with("train.sequence_loss.metric", "chrf"),
                   in_phase = with("train.phases[0].train", "{sequence_loss: {metric: chrf}}"),
                   none = with("train.sequence_loss", "~");
  for (const char* key :
       {"search.max_length_ratio", "search.max_length_extra", "train.validate.tokenize"}) {
    EXPECT_EQ(refused(sequence, key), 1u);
    EXPECT_EQ(refused(in_phase, key), 1u);
    EXPECT_EQ(refused(none, key), 0u);
  }
  EXPECT_EQ(refused(sequence, "search.beam"), 0u);
}

TEST(Resume, RefusesOtherScoresBesideAPlateauSchedule) {
  const auto refused = [](FlatConfig before, const char* metric, const char* key) {
    before["train.validate.metric"] = metric;
    FlatConfig now = before;
    now[key] = "7";
    return !refused_changes(before, now).empty();
  };
  for (const auto& [name, value] : {std::pair("train.schedule.type", "plateau"),
                                    {"train.phases[1].train", "{schedule: {type: plateau}}"},
                                    {"train.phases[1].train", "{schedule: plateau}"}}) {
    const FlatConfig before = with(name, value);
    for (const char* key : {"train.validate.metric", "train.validate.every"})
      EXPECT_TRUE(refused(before, "loss", key)) << key;
    for (const char* key : {"train.validate.beam", "train.validate.max_sentences",
                            "train.validate.tokenize", "search.beam", "search.length_penalty"}) {
      EXPECT_TRUE(refused(before, "bleu", key)) << key;
      EXPECT_FALSE(refused(before, "loss", key)) << key;
      EXPECT_FALSE(refused(kBefore, "bleu", key)) << key;
    }
    EXPECT_FALSE(refused(before, "bleu", "train.validate.samples"));
  }
}

TEST(Resume, RefusesEverythingElse) {
  for (const char* key : {"seed", "model.decoder.width", "train.batch.tokens", "train.workers",
                          "train.clip", "runs", "searching", "train.keepsake"}) {
    const auto changes = refused_changes(kBefore, with(key, "7"));
    ASSERT_EQ(changes.size(), 1u) << key;
    EXPECT_EQ(changes[0].key, key);
    EXPECT_EQ(changes[0].now, "7");
    EXPECT_EQ(changes[0].before, kBefore.contains(key) ? kBefore.at(key) : "(not set)");
  }
}

TEST(Resume, SaysOldAndNewValueOfAll) {
  FlatConfig now = with("seed", "2");
  now.erase("model.decoder.width");
  EXPECT_ERROR(check_resumable(kBefore, now, "runs/a"), ErrorKind::kUsage,
               "(model.decoder.width: was 512, is (not set); seed: was 1, is 2)");
}

}  // namespace
}  // namespace heed
