#include "distill/stage.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "captured_log.h"

namespace heed {
namespace {

class StageOfFiles : public testing::Test {
 protected:
  StageOfFiles() { write_plainly(folder_ / "in", "text"); }
  // Copies a file, and counts its runs.
  Stage stage() {
    return {.name = "copy",
            .title = "copies",
            .settings = settings_,
            .named_settings = {{"number", settings_}},
            .inputs = {folder_ / "in"},
            .outputs = {folder_ / "out"},
            .parts = {{.work = [this] {
              ++runs_;
              EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
              if (fails_) throw Error(ErrorKind::kFailure, "no");
              write_plainly(folder_ / "out", read_plainly(folder_ / "in"));
            }}}};
  }
  void run(bool retrain = false) { StageRunner(folder_.path(), retrain).run(stage()); }

  TemporaryFolder folder_;
  std::string settings_ = "one";
  bool fails_ = false;
  int runs_ = 0;
};

TEST_F(StageOfFiles, IsSkippedUntilItsInputsChange) {
  run();
  run();
  EXPECT_EQ(runs_, 1);
  write_plainly(folder_ / "in", "other");
  run();
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(read_plainly(folder_ / "out"), "other");
  settings_ = "two";
  run();
  EXPECT_EQ(runs_, 3);
  std::filesystem::remove(folder_ / "out");
  run();
  EXPECT_EQ(runs_, 4);
}

TEST_F(StageOfFiles, SaysWhatHasChanged) {
  run();
  write_plainly(folder_ / "in", "other");
  settings_ = "two";
  CapturedLog log;
  run();
  EXPECT_NE(
      log.end().find(fmt::format("copy: begins anew: number: was one, is two; {} has changed\n",
                                 (folder_ / "in").string())),
      std::string::npos)
      << log.end();
}

TEST_F(StageOfFiles, NamesTheChangesOfATraining) {
  const auto model = folder_ / "run/best/model";
  const auto train = [&](const std::string& width) {
    StageRunner(folder_.path(), false)
        .run({.name = "student",
              .title = "trains",
              .settings = width,
              .named_settings = {{"model.width", width}},
              .outputs = {folder_ / "run"},
              .trains = true,
              .parts = {{.work = [&] {
                std::filesystem::create_directories(model);
                write_plainly(model / "manifest.json", "{}");
              }}}});
  };
  train("8");
  EXPECT_ERROR(train("16"), ErrorKind::kUsage,
               "run: was trained with other settings or data (model.width: was 8, is 16); give "
               "--retrain");
}

TEST_F(StageOfFiles, IsRepeatedAfterAFailureOrADamagedRecord) {
  fails_ = true;
  EXPECT_THROW(run(), Error);
  fails_ = false;
  run();
  EXPECT_EQ(runs_, 2);
  const auto record = folder_ / "stages/copy.json";
  std::string text = read_plainly(record);
  text[text.size() / 2] ^= 1;
  write_plainly(record, text);
  EXPECT_THROW(run(), Error);  // it would delete a file that it may not have made
  EXPECT_EQ(read_plainly(folder_ / "out"), "text");
  std::filesystem::remove(folder_ / "out");
  run();
  EXPECT_EQ(runs_, 3);
}

TEST_F(StageOfFiles, IsRepeatedIfItsOutputHasChanged) {
  run();
  write_plainly(folder_ / "out", "damaged");
  run();
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(read_plainly(folder_ / "out"), "text");
}

TEST_F(StageOfFiles, HasTheFoldersOfItsOutputs) {
  const auto file = folder_ / "a/b/file", filled = folder_ / "c/d";
  StageRunner runner(folder_.path(), false);
  runner.run({.name = "file", .title = "writes", .outputs = {file}, .parts = {{.work = [&] {
                                                                      write_plainly(file, "x");
                                                                    }}}});
  runner.run({.name = "folder",
              .title = "fills",
              .outputs = {filled},
              .fills = true,
              .parts = {{.work = [&] { write_plainly(filled / "x", "x"); }}}});
  EXPECT_EQ(read_plainly(file), "x");
  EXPECT_EQ(read_plainly(filled / "x"), "x");
}

TEST_F(StageOfFiles, DeletesNothingOfOthers) {
  write_plainly(folder_ / "out", "mine");
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(read_plainly(folder_ / "out"), "mine");
}

}  // namespace
}  // namespace heed
