#include <gmock/gmock.h>

#include <regex>

#include "cli/program.h"
#include "cli/toy_corpus.h"
#include "holds.h"
#include "run/checked_config.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Config : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_toy_corpus(folder_.path());
  }
  // A check finds what a dry run does, which builds the network.
  Outcome config(Arguments arguments) const {
    arguments.insert(arguments.begin(), "config");
    Outcome outcome = run_heed(arguments, {.folder = folder_.path()});
    if (arguments[1] == "check") expect_same(outcome, {arguments.begin() + 2, arguments.end()});
    return outcome;
  }
  void expect_same(const Outcome& check, const Arguments& arguments) const {
    const Outcome run =
        run_heed(joined({"train"}, joined(arguments, {"--dry-run"})), {.folder = folder_.path()});
    EXPECT_EQ(check.exit_code, run.exit_code) << check.err << run.err;
    EXPECT_EQ(complaints(check), complaints(run));
  }
  // Warnings, without their time, and the lines of errors, without the name of the command.
  static std::vector<std::string> complaints(const Outcome& outcome) {
    static const std::regex time("[0-9]{2}:[0-9]{2}:[0-9]{2} "), warning("warning: .*");
    std::vector<std::string> found;
    for (const std::string& whole : lines_of(outcome.err)) {
      const std::string line = whole.substr(0, whole.find("; see `heed "));
      std::smatch told;
      if (std::regex_search(line, told, warning))
        found.push_back(told.str());
      else if (!std::regex_search(line, time, std::regex_constants::match_continuous))
        found.push_back(line);
    }
    return found;
  }
  void write(const std::string& text) const { write_plainly(folder_ / "c.yaml", text); }
  TemporaryFolder folder_;
};

TEST_F(Config, CheckAcceptsAGoodOne) {
  holds({"heed config check"});
  write(kSmallConfig);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c.yaml: no mistakes\n");
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("train.src + train.tgt: 1,000 pairs, 1,000 kept\n"));
}

// Source and target of the toy corpus are the same, which gives a warning.
TEST_F(Config, CheckCountsItsWarnings) {
  write(kSmallConfig);
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c.yaml: can be trained, with 1 warning above\n");
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: train.src + train.tgt: source and target are the same"));
}

// The mistakes show only in the tokens, the vocabularies or the network.
TEST_F(Config, CheckRefusesWhatTrainingRefuses) {
  struct Row {
    Arguments set;
    int code;
    std::string part;
  };
  write(kSmallConfig);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  write_plainly(folder_ / "vectors", "x 1 2 3 4 5 6 7 8\n");
  for (const auto& [set, code, part] : std::vector<Row>{
           {{"--set", "data.too_long=error", "--set", "data.max_length=3"},
            3,
            "more than 3 tokens"},
           {{"--set", "text.source.vocabulary.min_count=100000"}, 3, "the vocabulary is empty"},
           {{"--set", "model.embedding.width=8", "--set", "init.embeddings.source=vectors"},
            3,
            "has a vector for none of the"},
           {{"--set", "train.freeze=['*']"}, 2, "matches all parameters"},
           {{"--set", "train.freeze=[nothing]"}, 2, "train.freeze"}}) {
    SCOPED_TRACE(part);
    const Outcome check = config(joined({"check", "c.yaml"}, set)),
                  train = run_heed(joined({"train", "c.yaml"}, set), {.folder = folder_.path()});
    EXPECT_EQ(check.exit_code, code) << check.err;
    EXPECT_EQ(train.exit_code, code) << train.err;
    EXPECT_THAT(check.err, HasSubstr(part));
    EXPECT_EQ(lines_of(check.err).back(), lines_of(train.err).back());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  }
}

TEST_F(Config, CheckReadsWhatTheParametersStartWith) {
  write(kSmallConfig);
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "init.model=nowhere"}), 4, "nowhere");
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "init.embeddings.source=nothing"}), 5,
               "nothing");
}

TEST_F(Config, MistakesAreALineEach) {
  holds({"heed config check"});
  write(
      "run: runs/toy\n"
      "seed: 010\n"
      "data: {train: [{source: trian.src, target: train.tgt}]}\n"
      "text: {source: words, target: words}\n"
      "model: {embeding: {width: 8}}\n"
      "train: {max_updates: 1}\n");
  const Outcome outcome = config({"check", "c.yaml"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  const auto lines = lines_of(outcome.err);
  ASSERT_EQ(lines.size(), 4u) << outcome.err;
  EXPECT_THAT(lines[0], HasSubstr("3 mistakes in c.yaml"));
  EXPECT_THAT(lines[1], HasSubstr("c.yaml:2:7: seed:"));
  EXPECT_THAT(lines[2], HasSubstr("c.yaml:3:17: data.train[0].source"));
  EXPECT_THAT(lines[3], HasSubstr("c.yaml:5:9: model.embeding: "));
}

TEST_F(Config, MissingConfigIsCode2) {
  EXPECT_FAILS(config({"check", "nowhere.yaml"}), 2, "nowhere.yaml");
}

TEST_F(Config, SetChangesWhatIsChecked) {
  holds({"--set"});
  write(kSmallConfig);
  const Outcome outcome = config({"check", "c.yaml", "--set", "model.embedding.width=0"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("model.embedding.width"));
  EXPECT_FAILS(config({"check", "c.yaml", "--set", "model.embedding.width"}), 2,
               "model.embedding.width");
}

TEST_F(Config, ShowWritesEveryDefaultAndReadsItsOwnOutput) {
  holds({"heed config show"});
  write(kSmallConfig);
  const Outcome shown = config({"show", "c.yaml", "--set", "seed=7"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("seed: 7"), HasSubstr("label_smoothing: 0"),
                               HasSubstr("beam: 5"), HasSubstr(folder_.path().string())));
  TemporaryFolder elsewhere;
  write_plainly(elsewhere / "again.yaml", shown.out);
  const Outcome again = run_heed({"config", "show", elsewhere / "again.yaml"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, shown.out);
}

TEST_F(Config, ExplainSaysWhatAKeyMeans) {
  holds({"heed config explain"});
  const Outcome outcome = config({"explain", "train.label_smoothing"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("label_smoothing"));
  EXPECT_FAILS(config({"explain", "train.lable_smoothing"}), 2, "label_smoothing");
}

TEST_F(Config, ReferencePageIsNotStale) {
  holds({"heed config reference"});
  const Outcome outcome = config({"reference"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/config.md"))
      << "docs/config.md is stale; write it anew: heed config reference > docs/config.md";
}

TEST_F(Config, MigrationPageIsNotStale) {
  holds({"heed config migration"});
  const Outcome outcome = config({"migration"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/migration.md"))
      << "docs/migration.md is stale; write it anew: heed config migration > docs/migration.md";
}

// Self-attention over 200,000 tokens takes 160 GB for one head.
TEST_F(Config, CheckAndTrainingRefuseALineThatMemoryIsTooSmallFor) {
  write(std::string(kSmallConfig) +
        "model:\n"
        "  embedding: {width: 8}\n"
        "  encoder: {type: transformer, width: 8, layers: 1, feed_forward: 8, self_attention: "
        "{heads: "
        "2}}\n"
        "  decoder: {type: rnn, width: 8}\n");
  write_plainly(folder_ / "train.tgt", toy_lines(3, 1000));
  std::string longest;
  for (int i = 0; i < 200'000; ++i) longest += "a ";
  write_plainly(folder_ / "long", "a b\n" + longest + "\nc\n");
  write_plainly(folder_ / "short", "a b\nb\nc\n");
  const std::string pair = "{source: long, target: short}";
  for (const Arguments& command :
       {Arguments{"config", "check", "c.yaml", "--set", "data.valid=" + pair},
        {"train", "c.yaml", "--set", "data.test={news: " + pair + "}"}}) {
    const Outcome outcome = run_heed(command, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("1 of 3 pairs are longer than data.max_length: 100 allows in "
                                "training; the longest, "),
                      HasSubstr("long:2 has 200,000 tokens, which need more memory than there is "
                                "("),
                      HasSubstr("the longest source of the training has 6")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  }
}

class NewConfig : public Config {};

TEST_F(NewConfig, IsAConfigWithoutMistakes) {
  holds({"--source", "--target", "--valid-source", "--valid-target", "heed config new"});
  const Outcome outcome =
      config({"new", "--source", "train.src", "--target", "train.tgt", "--valid-source",
              "valid.src", "--valid-target", "valid.tgt", "-o", "new.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(read_plainly(folder_ / "new.yaml"),
              AllOf(StartsWith("# heed train new.yaml\n"), HasSubstr("# 1,000 sentence pairs."),
                    HasSubstr("type: words"), HasSubstr("type: rnn"),
                    HasSubstr("validate: {every: 100, metric: wer, patience: 6}")));
  const Outcome check = config({"check", "new.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
}

TEST_F(NewConfig, MissingFileIsCode5) {
  EXPECT_FAILS(config({"new", "--source", "nowhere", "--target", "train.tgt"}), 5, "nowhere");
}

}  // namespace
}  // namespace heed
