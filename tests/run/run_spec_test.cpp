// Runs that are asked for, and data that have changed since their checkpoint.
#include "run/run_spec.h"

#include <gmock/gmock.h>

#include "run/changed_data.h"
#include "run/checked_config.h"
#include "run/checkpoint_files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FoundRun : public CheckedConfig {
 protected:
  static RunRequest resumed(const std::string& config, std::optional<std::string> run = {}) {
    return {.config = config, .run = std::move(run), .start = RunStart::kResume};
  }
  // A config in another folder whose data lie here.
  static void write_beside(const std::string& file, const std::string& run) {
    fs::create_directories(fs::path(file).parent_path());
    write(file, fmt::format("run: {}\ndata: {{dir: ../, train: [{{source: train.src, target: "
                            "train.tgt}}]}}\ntext: {{source: words, target: words}}\ntrain: "
                            "{{max_updates: 1}}\n",
                            run));
  }
  static void write_run(const std::string& folder) {
    fs::create_directories(folder);
    write(folder + "/config.yaml", "run: a\n");
  }
};

TEST_F(FoundRun, IsRelativeToTheConfigAndByTheRequestToTheCurrentFolder) {
  write_beside("configs/c.yaml", "../runs/relative");
  const fs::path here = fs::current_path();
  EXPECT_EQ(find_run({.config = "configs/c.yaml"}).config.run, here / "runs/relative");
  EXPECT_EQ(find_run({.config = "configs/c.yaml", .run = "runs/other"}).config.run,
            here / "runs/other");
  EXPECT_EQ(
      find_run({.config = "configs/c.yaml", .set = {"run=runs/third", "data.dir=."}}).config.run,
      here / "runs/third");
}

// In earlier versions `run` was relative to the current folder.
TEST_F(FoundRun, BelowAnotherFolderIsPointedAt) {
  write_beside("configs/c.yaml", "runs/toy");
  write_run("runs/toy");
  EXPECT_ERROR(find_run(resumed("configs/c.yaml")), ErrorKind::kUsage, "give --run runs/toy");
  EXPECT_EQ(find_run(resumed("configs/c.yaml", "runs/toy")).mode, RunMode::kResume);
  fs::create_directory("other");
  fs::rename("runs", "other/runs");
  fs::current_path("other");
  EXPECT_ERROR(find_run(resumed("../c.yaml")), ErrorKind::kUsage, "give --run runs/toy");
}

TEST_F(FoundRun, HasTheCommandThatContinuesIt) {
  EXPECT_EQ(find_run({.config = "c.yaml", .set = {"search={beam: 2}"}, .run = "other's run"})
                .resume_command,
            "heed train c.yaml --set 'search={beam: 2}' --run 'other'\\''s run' --resume");
}

// A checkpoint with the record of the data, which the current folder has.
class ChangedDataTest : public CheckedConfig {
 protected:
  ChangedDataTest() {
    write("letters", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
    write("test.src", "a b\n");
    fs::create_directory("checkpoint");
    write(data_file(checkpoint_).string(), to_json(recorded(spec())));
  }
  static RunSpec spec(bool data_changed = false) {
    RunSpec spec = find_run({.config = "c.yaml",
                             .set = {"text.source.vocabulary={file: letters}",
                                     "data.valid={source: valid.src, target: valid.tgt}",
                                     "data.test={held: {source: test.src, target: test.src}}"}});
    spec.data_changed = data_changed;
    return spec;
  }
  static DataRecord recorded(const RunSpec& spec) {
    DataCache cache;
    return record_data(spec.files, cache);
  }
  ChangedData check(bool data_changed = false) const {
    const RunSpec now = spec(data_changed);
    ResumePlan plan;
    plan.checkpoint = checkpoint_;
    return check_data(recorded(now), now, plan);
  }
  fs::path checkpoint_ = "checkpoint";
};

TEST_F(ChangedDataTest, OfTrainingAndValidationAreRefusedUnlessAllowed) {
  EXPECT_THAT(check().warnings, IsEmpty());
  write("test.src", "a c\n");
  EXPECT_THAT(check().warnings, IsEmpty()) << "test sets are scored again";
  for (const char* file : {"train.src", "valid.src"}) {
    const std::string before = read_plainly(file);
    write(file, (before[0] == 'a' ? "b" : "a") + before.substr(1));
    EXPECT_ERROR(check(), ErrorKind::kData, std::string(file) + " (other content)");
    EXPECT_ERROR(check(), ErrorKind::kData, "continue with --data-changed");
    const ChangedData allowed = check(true);
    EXPECT_TRUE(allowed.restarts_epoch);
    EXPECT_THAT(allowed.warnings,
                ElementsAre(AllOf(HasSubstr("the data have changed"),
                                  HasSubstr(std::string(file) + " (other content)"))));
    write(file, before);
  }
}

TEST_F(ChangedDataTest, OfVocabulariesAreNotRead) {
  write("letters", "j\nb\nc\nd\ne\nf\ng\nh\ni\na\n");
  EXPECT_ERROR(check(), ErrorKind::kData, "letters (other content)");
  const ChangedData allowed = check(true);
  EXPECT_FALSE(allowed.restarts_epoch);
  EXPECT_THAT(allowed.warnings,
              ElementsAre(HasSubstr("letters (other content); they are not read: the run keeps "
                                    "those of its checkpoint")));
}

// Earlier versions kept none.
TEST_F(ChangedDataTest, WithoutARecordAreUnknown) {
  fs::remove(data_file(checkpoint_));
  EXPECT_THAT(check().warnings,
              ElementsAre("checkpoint has no record of its data; whether they changed is unknown"));
}

}  // namespace
}  // namespace heed
