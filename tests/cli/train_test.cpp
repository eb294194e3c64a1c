#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/utf8.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Train : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // Trains for a few updates in a separate workshop.
  Outcome train(Arguments more = {}) const {
    return workshop_.run(
        joined({"train", "toy.yaml", "--set", "train.validate.metric=loss"}, more));
  }
  // Number of target tokens that the run was trained on, from its metrics.
  double target_tokens_of(const std::string& run) const {
    double tokens = 0;
    for (const std::string& line : lines_of(workshop_.read(run + "/metrics.jsonl"))) {
      const auto figures = nlohmann::json::parse(line);
      if (figures.at("kind") == "train") tokens += figures.at("tokens").get<double>();
    }
    return tokens;
  }
  ToyWorkshop workshop_;
};

TEST_F(Train, LogsToStandardErrorAndLeavesAWholeRun) {
  holds({"data.train[].source", "data.train[].target", "data.valid.source", "data.valid.target",
         "heed train", "text.NAME=words"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  EXPECT_EQ(workshop.training().exit_code, 0);
  EXPECT_EQ(workshop.training().out, "");
  EXPECT_THAT(workshop.training().err,
              AllOf(HasSubstr("1,000 pairs"), HasSubstr("vocabulary: source and target 14 words")));
  EXPECT_THAT(workshop.read("runs/toy/train.log"),
              HasSubstr("vocabulary: source and target 14 words"));
  EXPECT_THAT(workshop.read("runs/toy/config.yaml"), HasSubstr("label_smoothing: 0"));
  EXPECT_TRUE(fs::exists(workshop / "runs/toy/best/model/model.safetensors"));
  EXPECT_TRUE(fs::exists(workshop / "runs/toy/latest/progress.json"));
  for (const std::string& line : lines_of(workshop.read("runs/toy/metrics.jsonl"))) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
}

TEST_F(Train, InspectHasTheHashOfAVocabulary) {
  holds({"heed inspect"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  const std::string hash = hash_bytes(workshop.read("runs/toy/best/model/source.vocabulary"));
  EXPECT_THAT(workshop.run({"inspect", "runs/toy"}).out, HasSubstr(hash));
  EXPECT_THAT(workshop.read("runs/toy/train.log"), Not(HasSubstr(hash)));
}

// Expects one line for the vocabularies, and one with the counts of the corpus.
TEST_F(Train, LogsNothingTwice) {
  const std::string log = ToyWorkshop::trained().read("runs/toy/train.log");
  for (const char* once : {"vocabulary", "1,000 pairs"})
    EXPECT_EQ(log.find(once), log.rfind(once)) << once;
}

TEST_F(Train, CountsEpochsFromOne) {
  ASSERT_EQ(train({"--set", "train.max_updates=~", "--set", "train.max_epochs=1", "--set",
                   "train.log_every=1"})
                .exit_code,
            0);
  for (const std::string& line : lines_of(workshop_.read("runs/toy/metrics.jsonl"))) {
    const auto json = nlohmann::json::parse(line);
    if (json["kind"] == "train") {
      EXPECT_EQ(json["epoch"], 1) << line;
    }
  }
  EXPECT_THAT(workshop_.run({"inspect", "runs/toy"}).out, HasSubstr("epoch                1\n"));
}

TEST_F(Train, OfAFolderSaysWhatAConfigIs) {
  EXPECT_FAILS(workshop_.run({"train", "."}), 2, "is a folder, expected a config");
}

TEST_F(Train, AModelFolderIsEnoughToTranslate) {
  const TemporaryFolder elsewhere;
  fs::copy(ToyWorkshop::trained() / "runs/toy/best/model", elsewhere / "copy",
           fs::copy_options::recursive);
  const Outcome outcome = run_heed({"translate", elsewhere / "copy"}, {.input = "a b c\n"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "a b c\n");
}

TEST_F(Train, RefusesToOverwriteARunUnlessTold) {
  holds({"--overwrite"});
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  const std::string config = workshop_.read("runs/toy/config.yaml");
  const Outcome refused = train({"--set", "train.max_updates=3"});
  EXPECT_FAILS(refused, 2, "--resume");
  EXPECT_THAT(refused.err, HasSubstr("--overwrite"));
  EXPECT_EQ(workshop_.read("runs/toy/config.yaml"), config);
  EXPECT_EQ(train({"--set", "train.max_updates=3", "--overwrite"}).exit_code, 0);
  EXPECT_THAT(workshop_.read("runs/toy/config.yaml"), HasSubstr("max_updates: 3"));
}

TEST_F(Train, RunNamesTheFolder) {
  holds({"--run", "run"});
  EXPECT_EQ(train({"--set", "train.max_updates=1", "--run", "other's run"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(workshop_ / "other's run/latest"));
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
}

// A process that was killed after its last checkpoint leaves such a checkpoint.
TEST_F(Train, ResumeOfAFinishedRunDeletesTheCheckpointsThatItWouldHave) {
  const Arguments settings{"--set", "train.max_updates=2", "--set",
                           "train.keep={last: 1, best: 1}"};
  ASSERT_EQ(train(settings).exit_code, 0);
  const fs::path checkpoints = workshop_ / "runs/toy/checkpoints";
  fs::copy(checkpoints / "step-00000002", checkpoints / "step-00000001",
           fs::copy_options::recursive);
  const Outcome done = train(joined(settings, {"--resume"}));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_FALSE(fs::exists(checkpoints / "step-00000001"));
  EXPECT_TRUE(fs::exists(checkpoints / "step-00000002"));
}

TEST_F(Train, ResumesWithOtherLimitsOnly) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  const Outcome done = train({"--set", "train.max_updates=2", "--resume"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("nothing is left to train"));
  const Outcome changed =
      train({"--set", "train.max_updates=4", "--set", "model.embedding.width=16", "--resume"});
  EXPECT_FAILS(changed, 2, "model.embedding.width: was 32, is 16");
  const Outcome longer = train({"--set", "train.max_updates=4", "--resume"});
  EXPECT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_THAT(longer.err, HasSubstr("resumed after update 2"));
  EXPECT_TRUE(fs::exists(workshop_ / "runs/toy/checkpoints/step-00000004"));
}

// The weights after a run in two halves equal those of a run without interruption, bit for bit.
TEST_F(Train, ResumedEqualsUninterrupted) {
  const Arguments same{"--set", "model.encoder.dropout=0.3", "--set", "train.workers=1"};
  const auto train_to = [&](const char* updates, const char* run, bool resume) {
    Arguments arguments = same;
    for (const char* word : {"--run", run, "--set"}) arguments.push_back(word);
    arguments.push_back(std::string("train.max_updates=") + updates);
    if (resume) arguments.push_back("--resume");
    const Outcome outcome = train(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  train_to("50", "whole", false);
  train_to("23", "halves", false);
  train_to("50", "halves", true);
  const std::string file = "/latest/model/model.safetensors";
  EXPECT_TRUE(workshop_.read("whole" + file) == workshop_.read("halves" + file));
}

// Each letter is one token, or two if all merges are dropped: the space and the letter.
TEST_F(Train, SubwordRegularizationSegmentsTrainingTextAlone) {
  holds({"train.subword_regularization.bpe_dropout"});
  const auto train_with = [&](const std::string& run, double dropout, const Arguments& more = {}) {
    return train(joined({"--run", run, "--set", "text.source={type: sentencepiece, size: 25}",
                         "--set", "train.max_updates=12", "--set", "train.log_every=1", "--set",
                         "train.validate.metric=loss", "--set",
                         fmt::format("train.subword_regularization={{bpe_dropout: {}}}", dropout)},
                        more));
  };
  ASSERT_EQ(train_with("best", 0).exit_code, 0);
  const Outcome sampled = train_with("sampled", 0.999);
  ASSERT_EQ(sampled.exit_code, 0) << sampled.err;
  EXPECT_GT(target_tokens_of("sampled"), 1.5 * target_tokens_of("best"));
  EXPECT_EQ(workshop_.read("sampled/latest/model/source.model"),
            workshop_.read("best/latest/model/source.model"));
  const Outcome resumed = train_with("sampled", 0.999, {"--resume", "--set", "train.max_epochs=1"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST_F(Train, WarnsOfAVocabularyOfOtherWords) {
  ASSERT_EQ(train({"--set", "train.max_updates=1"}).exit_code, 0);
  std::string other = workshop_.read("train.src");
  for (char& c : other) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  write_plainly(workshop_ / "other.src", other);
  const Outcome outcome = train(
      {"--run", "runs/other", "--dry-run", "--set",
       "text.source={type: words, vocabulary: {file: runs/toy/latest/model/source.vocabulary}}",
       "--set", "data.train=[{source: other.src, target: train.tgt}]"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("text.source: the vocabulary lacks 100% of the tokens"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("text.target: the vocabulary lacks")));
}

TEST_F(Train, RefusesAVocabularyWithCounts) {
  write_plainly(workshop_ / "counts", "a 12\nb 9\nc 7\n");
  const Outcome outcome =
      train({"--dry-run", "--set", "text.source={type: words, vocabulary: {file: counts}}"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("counts:1: found 'a 12', a token with a number, expected a token alone"));
}

TEST_F(Train, WarnsOfAnUnknownVocabularyInEachCorpus) {
  std::string other = workshop_.read("train.src");
  for (char& c : other) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  write_plainly(workshop_ / "other.src", other);
  write_plainly(workshop_ / "letters", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  const Outcome outcome = train({"--dry-run", "--set",
                                 "text.source={type: words, vocabulary: {file: letters}}", "--set",
                                 "data.train=[{source: train.src, target: train.tgt}, {source: "
                                 "other.src, target: train.tgt}]"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("lacks 100% of the tokens at the beginning of other.src"));
}

TEST_F(Train, ValidatesAtTheEndWhatIsNotValidated) {
  holds({"train.validate.every", "train.max_time"});
  const auto train_for = [this](const char* mode, const char* every, const Arguments& limit) {
    const Outcome outcome =
        train(joined({mode, "--set", std::string("train.validate.every=") + every}, limit));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("not validated")));
    EXPECT_TRUE(fs::exists(workshop_ / "runs/toy/best"));
    return outcome.err;
  };
  EXPECT_THAT(train_for("--overwrite", "100000",
                        {"--set", "train.max_time=1s", "--set", "train.max_updates=~"}),
              HasSubstr("is reached; validates at the end, after update "));
  EXPECT_THAT(train_for("--overwrite", "3", {"--set", "train.max_updates=5"}),
              AllOf(HasSubstr("validation after update 3: "),
                    HasSubstr("max_updates: 5 is reached; validates once more at the end, after "
                              "update 5\n"),
                    HasSubstr("validation after update 5: ")));
  EXPECT_THAT(train_for("--resume", "3", {"--set", "train.max_updates=6"}),
              AllOf(HasSubstr("forgotten: the validation that the former end, after update 5, had "
                              "added\n"),
                    Not(HasSubstr("at the end"))));
}

TEST_F(Train, WarnsOfASingleValidation) {
  const Arguments few{"--set", "train.max_updates=2", "--set", "train.validate.every=3"};
  EXPECT_THAT(
      train(few).err,
      HasSubstr("the only validation will be the one at the end: train.validate.every is 3, "
                "but train.max_updates 2\n"));
}

TEST_F(Train, RefusesToTrainNothing) {
  const Outcome outcome = train({"--set", "train.freeze=['*']"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("train.freeze: matches all parameters"));
}

TEST_F(Train, ResumingNothingIsCode2) { EXPECT_FAILS(train({"--resume"}), 2, "no run to resume"); }

TEST_F(Train, DryRunPrintsAndWritesNothing) {
  holds({"--dry-run"});
  const Outcome outcome = train({"--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("parameters"), HasSubstr("encoder"),
                                 HasSubstr("first batch: 32 sentences"), HasSubstr("source: ")));
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
}

TEST_F(Train, BatchesAreOfTokensOrOfSentences) {
  holds({"train.batch.sentences", "train.batch.tokens"});
  const std::string by_sentences = train({"--dry-run", "--set", "train.batch.sentences=5"}).out;
  EXPECT_THAT(by_sentences, HasSubstr("first batch: 5 sentences, "));
  const std::string by_tokens = train({"--dry-run", "--set", "train.batch={tokens: 70}"}).out;
  int sentences = 0, source = 0, target = 0;
  ASSERT_EQ(std::sscanf(by_tokens.substr(by_tokens.find("first batch")).c_str(),
                        "first batch: %d sentences, %d source and %d target tokens", &sentences,
                        &source, &target),
            3);
  EXPECT_LE(target, 70);
  EXPECT_GT(target + 2 * 7, 70) << "room for two more of the longest sentences";
}

TEST_F(Train, BatchesFollowTheSeed) {
  holds({"seed"});
  const std::string one = train({"--dry-run"}).out;
  EXPECT_EQ(train({"--dry-run", "--set", "seed=1"}).out, one);
  EXPECT_NE(train({"--dry-run", "--set", "seed=2"}).out, one);
}

TEST_F(Train, SampleTranslationsStandInTheLogAndObeyTheSearch) {
  holds({"train.validate.every", "train.validate.samples"});
  const Outcome outcome =
      train({"--set", "train.max_updates=4", "--set", "train.validate.every=2", "--set",
             "train.validate.samples=4", "--set", "search.min_length=7", "--set",
             "search.max_length_ratio=0", "--set", "search.max_length_extra=7"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  int samples = 0;
  for (const std::string& line : lines_of(workshop_.read("runs/toy/train.log"))) {
    const size_t at = line.find("  translation: ");
    if (at == std::string::npos) continue;
    ++samples;
    EXPECT_EQ(split_words(line.substr(at)).size(), 1u + 7) << line;
  }
  EXPECT_EQ(samples, 2 * 4);
}

TEST_F(Train, TheModelIsSearchedAsItsConfigSaysUnlessAskedOtherwise) {
  const Outcome outcome =
      train({"--set", "train.max_updates=1", "--set", "search.min_length=7", "--set",
             "search.max_length_ratio=0", "--set", "search.max_length_extra=7"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Outcome as_trained = workshop_.run({"translate", "runs/toy"}, "a b c\n\nb c\n");
  const std::vector<std::string> found = lines_of(as_trained.out);
  ASSERT_EQ(found.size(), 3u) << as_trained.err;
  EXPECT_EQ(split_words(found[0]).size(), 7u);
  EXPECT_EQ(split_words(found[2]).size(), 7u);
  EXPECT_THAT(as_trained.err,
              HasSubstr("cut or shortened by the maximum length; a larger max_length_ratio or "
                        "max_length_extra allows more: line 1 (7 tokens), "
                        "line 3 (7 tokens)\n"));
  const Outcome otherwise =
      workshop_.run({"translate", "runs/toy", "--min-length", "3", "--max-length", "3"}, "a b c\n");
  EXPECT_EQ(split_words(otherwise.out).size(), 3u) << otherwise.err;
}

// Words are written in characters: ten words of one letter become lines of eleven characters and
// more.
TEST_F(Train, TellsOnceOfSamplesThatSearchCuts) {
  holds({"train.sequence_loss.loss", "search.max_length_extra"});
  const auto times_told = [&](const std::string& extra) {
    const Outcome outcome = train(
        {"--overwrite", "--set", "train.max_updates=3", "--set", "train.sequence_loss={samples: 4}",
         "--set", "search={max_length_ratio: 0, max_length_extra: " + extra + "}"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    size_t count = 0;
    for (const std::string& line : lines_of(outcome.err))
      count += line.find("samples of a batch were cut at the maximum length") != std::string::npos;
    return count;
  };
  EXPECT_EQ(times_told("1"), 1U);
  EXPECT_EQ(times_told("1000"), 0U);
}

TEST_F(Train, CountsTranslationsThatSearchCuts) {
  holds({"search.max_length_ratio", "search.max_length_extra"});
  const Outcome outcome =
      train({"--set", "text.target={type: characters}", "--set", "train.max_updates=2", "--set",
             "train.validate={every: 1, metric: exact, samples: 0}", "--set",
             "search={max_length_ratio: 0, max_length_extra: 2, min_length: 2}", "--set",
             "data.test={own: {source: valid.src, target: valid.tgt}}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // Each character is a token.
  int64_t longer = 0;
  const auto references = lines_of(workshop_.read("valid.tgt"));
  for (const std::string& line : references) longer += line.size() > 2 ? 1 : 0;
  for (const char* set : {"valid", "own"})
    EXPECT_THAT(outcome.err, HasSubstr(fmt::format("{}: {} of {} references are longer than search "
                                                   "allows, the first is line ",
                                                   set, longer, references.size())));
  const std::string cut = fmt::format(
      "{0} of {0} translations cut or shortened by the maximum length; ", references.size());
  EXPECT_THAT(outcome.err, HasSubstr("EXACT 0.00; " + cut + "best exact\n"));
  EXPECT_THAT(outcome.err, HasSubstr("validation: " + cut + "metrics score what is left"));
  EXPECT_THAT(outcome.err, HasSubstr("test own: " + cut + "metrics score what is left"));
  int with_count = 0;
  for (const std::string& line : lines_of(workshop_.read("runs/toy/metrics.jsonl"))) {
    const auto json = nlohmann::json::parse(line);
    if (json["kind"] == "validation" || json["kind"] == "test") {
      EXPECT_EQ(json["cut"], references.size());
      ++with_count;
    }
  }
  EXPECT_EQ(with_count, 3);
}

// One update teaches it nothing: it writes a word or two again and again.
TEST_F(Train, SaysThatAnUntrainedModelRepeatsItself) {
  const Outcome outcome =
      train({"--set", "train.max_updates=1", "--set",
             "train.validate={every: 1, metric: exact, samples: 0}", "--set",
             "search={max_length_ratio: 0, max_length_extra: 30, min_length: 30}", "--set",
             "data.test={own: {source: valid.src, target: valid.tgt}}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* set : {"validation", "test own"})
    EXPECT_THAT(outcome.err,
                HasSubstr(fmt::format("{}: 50 of 50 translations cut or shortened by the maximum "
                                      "length; metrics score what is left; most of these "
                                      "translations repeat themselves, as those of a model do that "
                                      "is hardly trained\n",
                                      set)));
}

// With such a learning rate nothing is learned, so the first validation stays the best.
TEST_F(Train, EndsByPatienceAlone) {
  holds({"train.validate.patience"});
  const Outcome outcome =
      train({"--set", "train.max_updates=~", "--set", "train.optimizer.rate=1e-30", "--set",
             "train.validate={every: 2, metric: accuracy, patience: 3, "
             "samples: 0}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("training ends: no better accuracy in the last 3 validations "
                                     "(patience: 3)"));
  EXPECT_THAT(outcome.err, HasSubstr("8 updates, "));
}

TEST_F(Train, SaysWhatHasNoEffectWithoutAValidationSet) {
  const Outcome outcome = train({"--set", "train.max_updates=1", "--set", "data.valid=~", "--set",
                                 "train.validate={patience: 3}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: train.validate.patience: no effect without a "
                                     "validation set; give data.valid, or leave it out\n"));
}

TEST_F(Train, TestSetsAreScoredAtTheEnd) {
  holds({"data.test.NAME.source", "data.test.NAME.target"});
  const Outcome outcome = train({"--set", "train.max_updates=2", "--set",
                                 "data.test={held out: {source: valid.src, target: valid.tgt}}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("test held out, checkpoint of update 2: BLEU|"));
  const auto lines = lines_of(workshop_.read("runs/toy/metrics.jsonl"));
  const auto test = nlohmann::json::parse(lines.at(lines.size() - 2));
  EXPECT_EQ(test["kind"], "test");
  EXPECT_EQ(test["name"], "held out");
  EXPECT_TRUE(test["bleu"].is_number());
  EXPECT_EQ(nlohmann::json::parse(lines.back()),
            nlohmann::json::parse(R"({"kind": "end", "update": 2, "state": "finished",
                                      "reason": "max_updates: 2 is reached"})"));
}

TEST_F(Train, GoesByAMetricOfTranslations) {
  holds({"data.test.NAME.source", "data.test.NAME.target", "train.validate.metric"});
  const Outcome outcome = train({"--set", "train.max_updates=2", "--set", "train.validate.every=1",
                                 "--set", "train.validate.metric=rougeL", "--set",
                                 "data.test={held: {source: valid.src, target: valid.tgt}}"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(", ROUGE-L "), HasSubstr("; best rougeL"),
                                 HasSubstr("best validation by rougeL after update"),
                                 HasSubstr(": ROUGE-L|nrefs:1|")));
  size_t scores = 0;
  for (const std::string& text : lines_of(workshop_.read("runs/toy/metrics.jsonl"))) {
    const auto line = nlohmann::json::parse(text);
    if (line.contains("rougeL")) scores += line["rougeL"].is_number() ? 1 : 0;
  }
  EXPECT_EQ(scores, 3u);
  EXPECT_THAT(workshop_.run({"inspect", "runs/toy"}).out, HasSubstr(", ROUGE-L "));
}

TEST_F(Train, UnequalLinesAreCode3AndLeaveNothing) {
  write_plainly(workshop_ / "train.tgt", "a\nb\n");
  const Outcome outcome = train();
  EXPECT_FAILS(outcome, 3, "train.tgt");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("train.src"), HasSubstr("2")));
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
}

TEST_F(Train, BadLinesAreLeftOutAndCounted) {
  write_plainly(workshop_ / "train.src", toy_lines(1, 1000) + "a\xff\n\nb\n");
  write_plainly(workshop_ / "train.tgt", toy_lines(1, 1000) + "a\nb\n \n");
  const Outcome outcome = train({"--set", "train.max_updates=1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("1,003 pairs, 1,000 kept"), HasSubstr("2 empty"),
                                 HasSubstr("1 malformed")));
}

TEST_F(Train, PoliciesForBadLinesAreObeyed) {
  holds({"data.empty", "data.min_kept"});
  write_plainly(workshop_ / "train.src", toy_lines(1, 1000) + "a\xff\n\na b c d e f g\n");
  write_plainly(workshop_ / "train.tgt", toy_lines(1, 1000) + "a\nb\na\n");
  const auto expect = [&](const char* policy, int code, const char* message) {
    const Outcome outcome =
        train({"--dry-run", "--set", "data.max_length=6", "--set", std::string("data.") + policy});
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message)) << policy;
  };
  expect("too_long=drop", 0, "1,000 kept; left out: 1 malformed, 1 empty, 1 too long\n");
  expect("too_long=truncate", 0,
         "1,001 kept; left out: 1 malformed, 1 empty; changed: 1 truncated");
  const Outcome short_lines = train({"--dry-run", "--set", "data.max_length=2"});
  EXPECT_EQ(short_lines.exit_code, 3);
  EXPECT_THAT(short_lines.err,
              AllOf(HasSubstr("train.src + train.tgt: 1,003 pairs"), HasSubstr("data.min_kept")));
  expect("min_kept=0.1", 0, "1,000 kept; left out: 1 malformed, 1 empty, 1 too long\n");
  expect("too_long=error", 3, "train.src:1003: more than 6 tokens");
  expect("malformed=replace", 0, "changed: 1 repaired");
  expect("malformed=error", 3, "train.src:1001: malformed UTF-8");
  expect("empty=error", 3, "train.src:1002: empty line");
}

TEST_F(Train, MissingFileIsCode2WithItsLine) {
  const Outcome outcome = train({"--set", "data.train[0].source=nowhere"});
  EXPECT_FAILS(outcome, 2, "nowhere");
  fs::remove(workshop_ / "valid.src");
  EXPECT_FAILS(workshop_.run({"train", "toy.yaml"}), 2, "toy.yaml:4:11: data.valid.source");
}

TEST_F(Train, FullDiskIsCode5AndKeepsTheRestWhole) {
  const Outcome outcome = run_heed({"train", "toy.yaml", "--set", "train.max_updates=1"},
                                   {.folder = workshop_.path(), .largest_file = 20'000});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_FALSE(fs::exists(workshop_ / "runs/toy/latest"));
  for (const auto& entry : fs::directory_iterator(workshop_ / "runs/toy/checkpoints")) {
    ADD_FAILURE() << entry.path();
  }
}

// Waits until the run has written its first checkpoint.
bool wait_for_checkpoint(Running& running, const fs::path& link) {
  for (int i = 0; i < 600 && !running.has_ended(); ++i) {
    if (fs::exists(link)) return true;
    usleep(50'000);
  }
  return false;
}

void stop_and_inspect(const ToyWorkshop& workshop, int signal, int code) {
  const Arguments arguments{"train", "toy.yaml",           "--set", "train.max_updates=100000",
                            "--set", "train.save_every=5", "--set", "train.validate.metric=loss"};
  Running running(arguments, {.folder = workshop.path()});
  ASSERT_TRUE(wait_for_checkpoint(running, workshop / "runs/toy/latest")) << running.err();
  running.send(signal);
  const Outcome stopped = running.wait();
  EXPECT_EQ(stopped.exit_code, code) << stopped.err;
  const Outcome looked = workshop.run({"inspect", "runs/toy"});
  EXPECT_EQ(looked.exit_code, 0) << looked.err;
}

TEST_F(Train, CtrlCSavesAndLeavesWith130) { stop_and_inspect(workshop_, SIGINT, 130); }
TEST_F(Train, SigtermSavesAndLeavesWith143) { stop_and_inspect(workshop_, SIGTERM, 143); }
TEST_F(Train, AClosedTerminalSavesAndLeavesWith129) { stop_and_inspect(workshop_, SIGHUP, 129); }
TEST_F(Train, SigkillLeavesWholeCheckpoints) { stop_and_inspect(workshop_, SIGKILL, 137); }

TEST_F(Train, KilledAndResumedByTheSameCommandEqualsUninterrupted) {
  holds({"--auto-resume"});
  const auto arguments = [](const char* run) {
    return Arguments{"train", "toy.yaml",
                     "--run", run,
                     "--set", "train.max_updates=150",
                     "--set", "train.save_every=5",
                     "--set", "model.encoder.dropout=0.3",
                     "--set", "train.workers=1",
                     "--set", "train.validate.metric=loss"};
  };
  ASSERT_EQ(workshop_.run(arguments("whole")).exit_code, 0);
  const Arguments killed = joined(arguments("killed"), {"--auto-resume"});
  Running running(killed, {.folder = workshop_.path()});
  ASSERT_TRUE(wait_for_checkpoint(running, workshop_ / "killed/latest")) << running.err();
  running.send(SIGKILL);
  ASSERT_EQ(running.wait().exit_code, 128 + SIGKILL);
  const Outcome resumed = workshop_.run(killed);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resumed after update"));
  const std::string file = "/latest/model/model.safetensors";
  EXPECT_TRUE(workshop_.read("whole" + file) == workshop_.read("killed" + file));
}

TEST_F(Train, DivergenceIsCode6) {
  const Outcome outcome =
      train({"--set", "train.optimizer={type: sgd, rate: 1e30}", "--set", "train.clip=1e30"});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_THAT(lines_of(outcome.err).back(), HasSubstr("heed: "));
}

}  // namespace
}  // namespace heed
