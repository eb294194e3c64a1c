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
              AllOf(HasSubstr("1,000 pairs"), HasSubstr("vocabulary: source and target 14 words"),
                    HasSubstr("done; next: heed translate runs/toy -i FILE")));
  const std::string log = workshop.read("runs/toy/train.log");
  EXPECT_THAT(log, HasSubstr("vocabulary: source and target 14 words"));
  for (const char* once : {"vocabulary", "1,000 pairs, 1,000 kept", "are the same line"})
    EXPECT_EQ(log.find(once), log.rfind(once)) << once;
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

TEST_F(Train, ValidatesAtTheEndWhatIsNotValidated) {
  holds({"train.validate.every", "train.max_time"});
  EXPECT_THAT(train({"--set", "train.max_time=1s", "--set", "train.max_updates=~", "--set",
                     "train.validate.every=100000"})
                  .err,
              HasSubstr("is reached; validates at the end, after update "));
  EXPECT_TRUE(fs::exists(workshop_ / "runs/toy/best"));
  EXPECT_THAT(train({"--resume", "--set", "train.max_time=2s", "--set", "train.max_updates=~",
                     "--set", "train.validate.every=100000"})
                  .err,
              HasSubstr("forgotten: the validation that the former end, after update "));
}

TEST_F(Train, WarnsOfASingleValidation) {
  const Arguments few{"--set", "train.max_updates=2", "--set", "train.validate.every=3"};
  EXPECT_THAT(
      train(few).err,
      HasSubstr("the only validation will be the one at the end: train.validate.every is 3, "
                "but train.max_updates 2\n"));
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
  const std::string cut = "50 of 50 translations cut or shortened by the maximum length; ";
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("EXACT 0.00; " + cut + "best exact\n"),
                                 HasSubstr("validation: " + cut + "metrics score what is left"),
                                 HasSubstr("test own: " + cut + "metrics score what is left")));
  int with_count = 0;
  for (const std::string& line : lines_of(workshop_.read("runs/toy/metrics.jsonl")))
    with_count += nlohmann::json::parse(line).value("cut", 0) == 50;
  EXPECT_EQ(with_count, 3);
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

TEST_F(Train, UnequalLinesAreCode3AndLeaveNothing) {
  write_plainly(workshop_ / "train.tgt", "a\nb\n");
  const Outcome outcome = train();
  EXPECT_FAILS(outcome, 3, "train.tgt");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("train.src"), HasSubstr("2")));
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
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

TEST_F(Train, ASignalSavesAndLeavesWithItsCode) {
  for (const auto& [signal, code] :
       {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}, {SIGKILL, 137}}) {
    const Arguments arguments{"train", "toy.yaml",           "--set", "train.max_updates=100000",
                              "--set", "train.save_every=5", "--set", "train.validate.metric=loss"};
    fs::remove_all(workshop_ / "runs");
    Running running(arguments, {.folder = workshop_.path()});
    ASSERT_TRUE(wait_for_checkpoint(running, workshop_ / "runs/toy/latest")) << running.err();
    running.send(signal);
    const Outcome stopped = running.wait();
    EXPECT_EQ(stopped.exit_code, code) << stopped.err;
    EXPECT_EQ(workshop_.run({"inspect", "runs/toy"}).exit_code, 0) << code;
  }
}

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
