// Run folders that are copied, damaged, used by two processes, or interrupted.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunFolder : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  static Arguments arguments(const Arguments& more) {
    return joined({"train", "toy.yaml", "--set", "train.validate.metric=loss"}, more);
  }
  Outcome train(const Arguments& more) const { return workshop_.run(arguments(more)); }
  // Writes two checkpoints, of updates 4 and 6.
  void train_to_six() const {
    const Outcome outcome = train({"--set", "train.max_updates=6", "--set", "train.save_every=2"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  Outcome resume_to_eight(const Arguments& more = {}) const {
    return train(
        joined({"--resume", "--set", "train.max_updates=8", "--set", "train.save_every=2"}, more));
  }
  fs::path checkpoint(int update) const {
    return workshop_ / fmt::format("runs/toy/checkpoints/step-{:08}", update);
  }
  void damage(int update) const {
    const fs::path file = checkpoint(update) / "optimizer.safetensors";
    std::string bytes = read_plainly(file);
    bytes[bytes.size() / 2] ^= 1;
    write_plainly(file, bytes);
  }
  // Replaces a file by a pipe.
  void put_pipe(const std::string& name) const {
    fs::remove(workshop_ / name);
    ASSERT_EQ(mkfifo((workshop_ / name).c_str(), 0600), 0);
  }
  // Waits for the first checkpoint of a run that would never end.
  void start_long_run(Running& running) const {
    for (int i = 0; i < 1200 && !running.has_ended(); ++i) {
      if (fs::exists(workshop_ / "runs/toy/latest")) return;
      usleep(50'000);
    }
    ADD_FAILURE() << running.err();
  }
  static Arguments long_run(const Arguments& more = {}) {
    return arguments(
        joined({"--set", "train.max_updates=1000000", "--set", "train.save_every=5"}, more));
  }
  ToyWorkshop workshop_;
};

TEST_F(RunFolder, ADamagedCheckpointIsPassedOverAndNamed) {
  train_to_six();
  damage(6);
  const Outcome outcome = resume_to_eight();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("step-00000006/optimizer.safetensors: is damaged"),
                                 HasSubstr("resumed after update 4")));
}

// Each start writes a file; the resumed one continues at the update after the checkpoint.
TEST_F(RunFolder, HasAFolderForTensorBoardIfAsked) {
  holds({"train.tensorboard"});
  const Arguments wanted{"--set", "train.tensorboard=true"};
  const auto files = [this] { return list_folder(workshop_ / "runs/toy/tensorboard"); };
  train_to_six();
  EXPECT_TRUE(files().empty());
  ASSERT_EQ(resume_to_eight(wanted).exit_code, 0);
  ASSERT_EQ(files().size(), 1u);
  write_plainly(workshop_ / "runs/toy/tensorboard/notes.txt", "mine");
  ASSERT_EQ(train(joined({"--overwrite", "--set", "train.max_updates=2"}, wanted)).exit_code, 0);
  EXPECT_EQ(files().size(), 2u) << "one of the new run";
  EXPECT_EQ(workshop_.read("runs/toy/tensorboard/notes.txt"), "mine");
  ASSERT_EQ(train({"--overwrite", "--set", "train.max_updates=2"}).exit_code, 0);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(RunFolder, AForeignFileCostsNoCheckpoint) {
  train_to_six();
  write_plainly(checkpoint(6) / ".DS_Store", "x");
  write_plainly(checkpoint(6) / "notes.txt", "mine");
  EXPECT_FAILS(resume_to_eight(), 4, "notes.txt: does not belong here");
  EXPECT_TRUE(fs::exists(checkpoint(4)) && fs::exists(checkpoint(6)));
  fs::remove(checkpoint(6) / "notes.txt");
  const Outcome outcome = resume_to_eight();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("resumed after update 6"));
}

TEST_F(RunFolder, OfMetricsAloneSaysHowToGoOn) {
  fs::create_directories(workshop_ / "runs/toy");
  write_plainly(workshop_ / "runs/toy/metrics.jsonl", "{}\n");
  EXPECT_FAILS(train({}), 2, "move metrics.jsonl away, or start anew with --overwrite");
}

TEST_F(RunFolder, ALogThatIsAPipeIsRefused) {
  train_to_six();
  put_pipe("runs/toy/train.log");
  const Outcome refused = resume_to_eight();  // after the data are read
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(refused.err, testing::HasSubstr("is not a regular file"));
}

TEST_F(RunFolder, ADamagedConfigIsCode4) {
  train_to_six();
  write_plainly(workshop_ / "runs/toy/config.yaml", "run: [");
  EXPECT_FAILS(resume_to_eight(), 4, "runs/toy/config.yaml");
  put_pipe("runs/toy/config.yaml");
  EXPECT_FAILS(resume_to_eight(), 4, "runs/toy/config.yaml: is missing or not a regular file");
}

// A mistake in data, config or network of the new run does not delete the old run.
TEST_F(RunFolder, IsOverwrittenOnlyByARunThatStands) {
  train_to_six();
  const auto before = names_in(workshop_ / "runs/toy");
  EXPECT_NE(train({"--overwrite", "--set", "model.encoder.width=2000000"}).exit_code, 0);
  write_plainly(workshop_ / "valid.tgt", "a\xff\n");
  EXPECT_EQ(train({"--overwrite"}).exit_code, 3);
  EXPECT_EQ(names_in(workshop_ / "runs/toy"), before);
  EXPECT_EQ(workshop_.run({"inspect", "runs/toy"}).exit_code, 0);
}

TEST_F(RunFolder, HasOneWriter) {
  Running running(long_run(), {.folder = workshop_.path()});
  start_long_run(running);
  const std::string holder = lines_of(workshop_.read("runs/toy/.lock")).at(0);
  EXPECT_THAT(holder, testing::MatchesRegex("process [0-9]+ on .+"));
  for (const Arguments& mode : {Arguments{"--resume"}, Arguments{"--overwrite"}, Arguments{}}) {
    const Outcome refused = workshop_.run(long_run(mode));
    EXPECT_FAILS(refused, 5, "runs/toy: " + holder + " is training this run");
  }
  EXPECT_FALSE(running.has_ended());
  running.send(SIGKILL);
  EXPECT_EQ(running.wait().exit_code, 128 + SIGKILL);
  const Outcome resumed = train({"--resume", "--set", "train.max_updates=1"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

// The data are a pipe without a writer, so the start lasts as long as the test needs.
TEST_F(RunFolder, ASignalDuringTheStartLeavesNothing) {
  put_pipe("train.src");
  Running running(arguments({}), {.folder = workshop_.path()});
  int writer = -1;
  for (int i = 0; i < 1200 && writer < 0 && !running.has_ended(); ++i) {
    writer = open((workshop_ / "train.src").c_str(), O_WRONLY | O_NONBLOCK);
    if (writer < 0) usleep(50'000);
  }
  ASSERT_GE(writer, 0) << running.err();
  running.send(SIGTERM);
  EXPECT_FAILS(running.wait(), 143, "interrupted before training began; nothing was changed");
  close(writer);
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
}

TEST_F(RunFolder, AnInterruptedRunSaysHowToContinue) {
  Running running(long_run({"--set", "search={beam: 2}"}), {.folder = workshop_.path()});
  start_long_run(running);
  running.send(SIGHUP);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 129) << outcome.err;
  const std::string last = lines_of(outcome.err).back();
  const std::string saved = fs::read_symlink(workshop_ / "runs/toy/latest").filename().string();
  EXPECT_THAT(last, HasSubstr("interrupted; saved runs/toy/checkpoints/" + saved +
                              ". Continue: heed train toy.yaml --set train.validate.metric=loss "
                              "--set train.max_updates=1000000 --set train.save_every=5 --set "
                              "'search={beam: 2}' --resume"));
}

// Both ends of the pipe of stderr are closed before the first line is written.
TEST_F(RunFolder, AClosedPipeEndsNoTraining) {
  const std::string command = fmt::format(
      "cd '{}' && {{ '{}' train toy.yaml --set train.max_updates=2 --set "
      "train.validate.metric=loss; "
      "echo $? > code; }} 2>&1 | true",
      workshop_.path().string(), program_path());
  EXPECT_EQ(std::system(command.c_str()), 0);
  for (int i = 0; i < 1200 && !fs::exists(workshop_ / "code"); ++i) usleep(50'000);
  EXPECT_EQ(workshop_.read("code"), "0\n");
  EXPECT_THAT(workshop_.read("runs/toy/train.log"), HasSubstr("training ends"));
}

// With stderr closed, the next file that is opened would get its descriptor.
TEST_F(RunFolder, AClosedStderrWritesIntoNoFile) {
  const std::string command = fmt::format(
      "cd '{}' && '{}' train toy.yaml --set train.max_updates=2 --set train.validate.metric=loss "
      "2>&-",
      workshop_.path().string(), program_path());
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(workshop_.read("runs/toy/metrics.jsonl"), Not(HasSubstr("parameters")));
  EXPECT_THAT(workshop_.read("runs/toy/.lock"), Not(HasSubstr("parameters")));
}

TEST_F(RunFolder, IsRelativeToTheConfigAndByTheCommandLineToTheCurrentFolder) {
  holds({"run"});
  fs::create_directory(workshop_ / "configs");
  write_plainly(workshop_ / "configs/toy.yaml", toy_config("../runs/relative"));
  const Arguments words{
      "train", "configs/toy.yaml",    "--set", "data.dir=" + workshop_.path().string(),
      "--set", "train.max_updates=1", "--set", "train.validate.metric=loss"};
  const std::string folder = fs::canonical(workshop_.path()).string();
  EXPECT_FAILS(workshop_.run(joined(words, {"--resume"})), 2,
               "heed: " + folder + "/runs/relative: holds no run to resume");
  EXPECT_FAILS(workshop_.run({"translate", "runs/other"}), 4, folder + "/runs/other: there is no");
  ASSERT_EQ(workshop_.run(words).exit_code, 0);
  EXPECT_TRUE(fs::exists(workshop_ / "runs/relative/latest"));
  const Outcome tuned =
      workshop_.run(joined(words, {"--run", "tuned", "--set", "init.model=runs/relative"}));
  EXPECT_EQ(tuned.exit_code, 0) << tuned.err;
  EXPECT_TRUE(fs::exists(workshop_ / "tuned/latest"));
}

TEST_F(RunFolder, DryRunOfAResumedRunRefusesWhatTheRunRefuses) {
  train_to_six();
  const auto dry = [this](const char* setting) {
    return workshop_.run({"train", "toy.yaml", "--resume", "--dry-run", "--set", setting});
  };
  EXPECT_EQ(dry("train.max_updates=9").exit_code, 0);
  EXPECT_FAILS(dry("seed=2"), 2, "cannot be resumed with other settings (seed: was");
  EXPECT_FAILS(dry("seed=2"), 2,
               "Use the old values, or start another run: --run FOLDER. A resumed run may change "
               "limits, validation, search, logging and the checkpoints that are kept\n");
  write_plainly(workshop_ / "train.src", workshop_.read("train.src") + "a\n");
  write_plainly(workshop_ / "train.tgt", workshop_.read("train.tgt") + "a\n");
  EXPECT_FAILS(dry("train.max_updates=9"), 3, "--data-changed");
}

// The config in a run folder names that folder, even after the folder was moved.
TEST_F(RunFolder, MovedIsResumedByItsOwnConfig) {
  train_to_six();
  fs::rename(workshop_ / "runs/toy", workshop_ / "moved");
  const Outcome outcome =
      workshop_.run({"train", "moved/config.yaml", "--set", "train.max_updates=7", "--resume"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("resumed after update 6 from moved/"));
}

// No command uses another checkpoint instead of the best one.
TEST_F(RunFolder, ABestCheckpointThatIsGoneIsRefusedByAllCommands) {
  ASSERT_EQ(train({"--set", "train.max_updates=4", "--set", "train.validate.every=2"}).exit_code,
            0);
  const fs::path best = fs::read_symlink(workshop_ / "runs/toy/best");
  fs::remove_all(workshop_ / "runs/toy" / best);
  fs::remove(workshop_ / "runs/toy/latest");
  fs::create_symlink("checkpoints/step-00000004", workshop_ / "runs/toy/latest");
  if (best.filename() == "step-00000004")
    fs::copy(workshop_ / "runs/toy/checkpoints/step-00000002",
             workshop_ / "runs/toy/checkpoints/step-00000007", fs::copy_options::recursive);
  for (const Arguments& command : std::vector<Arguments>{
           {"translate", "runs/toy", "-i", "valid.src"},
           {"summarize", "runs/toy", "-i", "valid.src"},
           {"generate", "runs/toy"},
           {"evaluate", "--model", "runs/toy", "-s", "valid.src", "-r", "valid.tgt"},
           {"score", "runs/toy", "-s", "valid.src", "-t", "valid.tgt"},
           {"inspect", "runs/toy"},
           {"average", "runs/toy", "runs/toy", "-o", "mean"},
           {"tokenize", "runs/toy", "-i", "valid.src"},
           {"plot", "attention", "runs/toy", "-i", "valid.src", "--line", "1"},
           {"export", "hf", "runs/toy", "exported"},
           {"serve", "runs/toy", "--port", "0"},
           {"train", "toy.yaml", "--run", "runs/tuned", "--set", "init.model=runs/toy"}}) {
    const Outcome outcome = workshop_.run(command);
    EXPECT_EQ(outcome.exit_code, 4) << command[0] << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("runs/toy/best: names " + best.string())) << command[0];
  }
  const Outcome resumed = train({"--resume", "--set", "train.max_updates=5"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(workshop_.run({"inspect", "runs/toy"}).exit_code, 0);
}

// The log names everything that a resumed run keeps from before.
TEST_F(RunFolder, ResumeSaysWhatIsKept) {
  holds({"--resume"});
  write_plainly(workshop_ / "vectors",
                fmt::format("a {}\n", fmt::join(std::vector<double>(32, 0.1), " ")));
  const Arguments named{"--set", "init.embeddings={source: vectors}"};
  ASSERT_EQ(train(joined(named, {"--set", "train.max_updates=1"})).exit_code, 0);
  const Outcome resumed = train(joined(named, {"--set", "train.max_updates=2", "--resume"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err,
              AllOf(HasSubstr("kept from the checkpoint: parameters, optimizer state, "
                              "vocabularies, tokenizers; not read again: init.embeddings.source: "),
                    Not(HasSubstr("init has changed"))));
  const Outcome other = train(
      {"--set", "train.max_updates=3", "--resume", "--set", "init.embeddings={target: vectors}"});
  EXPECT_THAT(other.err, HasSubstr("init has changed since the start of the run"));
}

TEST_F(RunFolder, ResumeNoticesAnotherLine) {
  holds({"--data-changed"});
  train_to_six();
  std::string text = workshop_.read("train.src");
  text[0] = text[0] == 'a' ? 'b' : 'a';
  write_plainly(workshop_ / "train.src", text);
  EXPECT_FAILS(resume_to_eight(), 3, "train.src (other content)");
  EXPECT_THAT(workshop_.read("runs/toy/config.yaml"), HasSubstr("max_updates: 6"));
  const Outcome allowed = resume_to_eight({"--data-changed"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_THAT(workshop_.read("runs/toy/train.log"),
              AllOf(HasSubstr("warning: the data have changed"),
                    HasSubstr("train.src (other content)"), HasSubstr("resumed after update 6")));
  const Outcome again =
      train({"--resume", "--set", "train.max_updates=9", "--set", "train.save_every=2"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

// The test set is scored again even if the run ends at the same update: metrics.jsonl would have
// scores of the old set.
TEST_F(RunFolder, AChangedTestSetIsScoredAgain) {
  const auto resume = [this](const std::string& setting = "train.log_every=7") {
    return train({"--set", "train.max_updates=1", "--set",
                  "data.test={held: {source: test.src, target: test.src}}", "--set", setting,
                  "--resume"})
        .err;
  };
  const auto is_scored = HasSubstr("test held, checkpoint of update 1: ");
  write_plainly(workshop_ / "test.src", "a b\n");
  ASSERT_EQ(train({"--set", "train.max_updates=1"}).exit_code, 0);
  EXPECT_THAT(resume(), is_scored);
  EXPECT_THAT(resume(), testing::Not(is_scored));
  write_plainly(workshop_ / "test.src", "a c\n");
  EXPECT_THAT(resume(), is_scored);
  EXPECT_THAT(resume(), testing::Not(is_scored));
  EXPECT_THAT(resume("search.max_length_extra=3"), is_scored);
}

// All words of the new set are unknown, so its loss is higher than that of the old set.
TEST_F(RunFolder, ScoresOfAnotherValidationSetBeginAnew) {
  holds({"--data-changed", "train.validate.patience"});
  const Arguments validate{"--set", "train.validate={every: 2, metric: loss, patience: 2}"};
  ASSERT_EQ(train(joined(validate, {"--set", "train.max_updates=4"})).exit_code, 0);
  std::string unknown;
  for (const std::string& line : lines_of(workshop_.read("valid.src")))
    unknown += line.empty() ? "\n" : "z z z z\n";
  write_plainly(workshop_ / "valid.tgt", unknown);
  const Outcome outcome =
      train(joined(validate, {"--set", "train.max_updates=8", "--resume", "--data-changed"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(
      outcome.err,
      HasSubstr("2 of 2 validations so far cannot be compared with the next ones by loss, as they "
                "were made on another validation set: patience, plateau and the best checkpoint "
                "begin anew; `best` stays as it is until the next"));
  const Outcome curves = workshop_.run({"plot", "curves", "runs/toy", "-o", "c.svg"});
  EXPECT_THAT(curves.err,
              HasSubstr("runs/toy: validation.loss from update 4 on cannot be compared"));
}

TEST_F(RunFolder, ADeviceThatIsNotThereIsCode2) {
  holds({"device", "--device"});
  EXPECT_FAILS(train({"--set", "device=cuda:99"}), 2, "device 'cuda:99': not available");
  EXPECT_FALSE(fs::exists(workshop_ / "runs"));
  if (fs::exists("/dev/nvidia0")) GTEST_SKIP() << "there is one";
  EXPECT_FAILS(train({"--device", "cuda"}), 2, "device 'cuda': not available");
  EXPECT_FAILS(
      workshop_.run({"translate", ToyWorkshop::trained() / "runs/toy", "--device", "cuda"}), 2,
      "device 'cuda': not available");
}

}  // namespace
}  // namespace heed
