#include "data/data_config.h"

#include <gmock/gmock.h>

#include <map>

#include "config/reader.h"
#include "config/writer.h"
#include "data/batch_limit.h"
#include "data/corpus_files.h"
#include "data/epoch_plan.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

struct Holder final : Settings {
  DataConfig data;
  BatchConfig batch;
  std::filesystem::path folder;
  void fields(Fields& f) override {
    f.section("data", data, "files");
    f.section("batch", batch, "batch size");
  }
  void validate(Problems& problems) const override {
    ProblemsAt at(problems, "data");
    if (!folder.empty()) find_missing_data_files(data, folder, at);
  }
};

Holder read(const std::string& yaml) {
  Holder holder;
  read_config_text(yaml, "c.yaml", holder);
  return holder;
}

std::vector<std::string> problems_of(const std::string& yaml, Holder holder = {}) {
  std::vector<std::string> texts;
  for (const Problem& problem : find_problems(yaml, "c.yaml", holder)) {
    texts.push_back(problem.text());
  }
  return texts;
}

const std::string kTrain = "data: {train: [{source: a, target: b}]}\n";

TEST(DataConfig, ReadsFilesAndPolicies) {
  const Holder holder = read(
      "data:\n"
      "  dir: ../corpus\n"
      "  train:\n"
      "    - {source: a.en, target: a.de}\n"
      "    - {source: b.*.en.gz, target: b.*.de.gz, weight: 0.5}\n"
      "  valid: {source: v.en, target: v.de}\n"
      "  test: {one: {source: t.en, target: t.de}}\n"
      "  max_length: 50\n"
      "  too_long: truncate\n"
      "  malformed: replace\n"
      "  empty: error\n");
  const DataConfig& data = holder.data;
  EXPECT_EQ(data.train.at(1).source, (SourceFiles{{kSourceSide, "b.*.en.gz"}}));
  EXPECT_EQ(data.train.at(1).weight, 0.5);
  EXPECT_EQ(data.train.at(0).weight, 1);
  EXPECT_EQ(data.valid.at(0).target, "v.de");
  EXPECT_EQ(data.test.at("one").target, "t.de");
  EXPECT_EQ(data.cleaning.max_length, 50);
  EXPECT_EQ(data.cleaning.too_long, TooLong::kTruncate);
  EXPECT_EQ(data.cleaning.malformed, Malformed::kReplace);
  EXPECT_EQ(data.cleaning.empty, EmptyLine::kError);
  EXPECT_EQ(data.root("/x/configs"), "/x/corpus");
}

TEST(DataConfig, ComesBackAsItWasWritten) {
  Holder holder = read(kTrain + "batch: {sentences: 64}\n");
  const std::string text = write_config(holder);
  Holder again = read(text);
  EXPECT_EQ(write_config(again), text);
  EXPECT_EQ(again.batch.limit().sentences, 64);
  EXPECT_EQ(again.batch.limit().tokens, 0);
}

TEST(DataConfig, RefusesWhatMakesNoSense) {
  EXPECT_THAT(problems_of("data: {dir: x}\n"),
              testing::ElementsAre(testing::HasSubstr("data.train: is missing")));
  EXPECT_THAT(problems_of("data: {train: [{source: a}]}\n"),
              testing::ElementsAre(testing::HasSubstr("data.train[0].target: is missing")));
  EXPECT_THAT(problems_of("data: {train: [{source: a, target: b, weight: 0}]}\n"),
              testing::ElementsAre(testing::HasSubstr("data.train[0].weight")));
  EXPECT_THAT(problems_of("data: {max_length: 70000, train: [{source: a, target: b}]}\n"),
              testing::ElementsAre(testing::HasSubstr("data.max_length")));
}

TEST(DataConfig, MissingFilesHaveTheLineOfTheirKey) {
  const TemporaryFolder folder;
  write_plainly(folder / "a", "x\n");
  Holder holder;
  holder.folder = folder.path();
  EXPECT_THAT(problems_of("data:\n  train:\n    - source: a\n      target: gone\n", holder),
              testing::ElementsAre("c.yaml:4:15: data.train[0].target: there is no file " +
                                   (folder / "gone").string()));
}

TEST(DataConfig, WeightSaysHowOftenPairsCome) {
  holds({"data.train[].source", "data.train[].weight"});
  const TemporaryFolder folder;
  write_pairs(folder / "a.en", folder / "a.de", 10);
  write_pairs(folder / "b.en", folder / "b.de", 20);
  const Holder holder = read(
      "data: {train: [{source: a.en, target: a.de, weight: 3}, "
      "{source: b.en, target: b.de, weight: 0.5}]}\n");
  const auto corpus = index_corpus(find_training_files(holder.data, folder.path()));
  const EpochPlan plan(corpus->index(), {.tokens = 100}, 1, 0);
  std::map<int64_t, int> corpora;  // the first ten pairs are those of a
  for (int64_t b = 0; b < plan.batches(); ++b) {
    for (const PairId pair : plan.batch(b)) ++corpora[pair < 10 ? 0 : 1];
  }
  EXPECT_EQ(corpora, (std::map<int64_t, int>{{0, 30}, {1, 10}}));
}

TEST(BatchConfig, TakesTokensOrSentences) {
  EXPECT_EQ(read(kTrain).batch.limit().tokens, 4096);
  EXPECT_EQ(read(kTrain + "batch: {tokens: 100}\n").batch.limit().tokens, 100);
  const BatchLimit sentences = read(kTrain + "batch: {sentences: 8}\n").batch.limit();
  EXPECT_EQ(sentences.tokens, 0);
  EXPECT_EQ(sentences.sentences, 8);
  EXPECT_THAT(problems_of(kTrain + "batch: {sentences: 8, tokens: 9}\n"),
              testing::ElementsAre("c.yaml:2:1: batch: allows tokens or sentences, not both"));
  EXPECT_THAT(problems_of(kTrain + "batch: {tokens: ~}\n"),
              testing::ElementsAre(testing::HasSubstr("needs tokens or sentences")));
}

}  // namespace
}  // namespace heed
