#include "run/run_directory.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "holds.h"

namespace heed {
namespace {

void add(const RunDirectory& run, int64_t update) {
  run.add_checkpoint(update, [&](const fs::path& folder) {
    write_plainly(folder / "file", std::to_string(update));
  });
}

TEST(RunDirectory, FreshRefusesARun) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  EXPECT_NO_THROW(run.open(RunMode::kFresh)) << "nothing of value yet";
  write_plainly(run.config(), "");
  EXPECT_ERROR(run.open(RunMode::kFresh), ErrorKind::kUsage, "--resume");
}

TEST(RunDirectory, ResumeWantsARun) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  EXPECT_ERROR(run.open(RunMode::kResume), ErrorKind::kUsage,
               (folder / "run").string() + ": holds no run to resume; start it without --resume");
  EXPECT_FALSE(fs::exists(folder / "run"));
  run.open(RunMode::kFresh);
  write_plainly(run.config(), "");
  EXPECT_NO_THROW(run.open(RunMode::kResume));
}

TEST(RunDirectory, IsNoFile) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "mine");
  for (const RunMode mode : {RunMode::kFresh, RunMode::kResume, RunMode::kOverwrite})
    EXPECT_ERROR(RunDirectory(folder / "file").open(mode), ErrorKind::kUsage,
                 (folder / "file").string() + ": is a file; a run is a folder");
}

TEST(RunDirectory, OverwriteRemovesTheRunAndNothingElse) {
  holds({"--overwrite"});
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  add(run, 1);
  run.point_latest(1);
  write_plainly(run.config(), "a");
  write_plainly(run.folder() / "notes.txt", "mine");
  run.open(RunMode::kOverwrite);
  EXPECT_TRUE(run.saved_updates().empty());
  EXPECT_FALSE(run.latest());
  EXPECT_FALSE(fs::exists(run.config()));
  EXPECT_EQ(read_plainly(run.folder() / "notes.txt"), "mine");
}

TEST(RunDirectory, LinksAreRelative) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  add(run, 8000);
  run.point_latest(8000);
  EXPECT_EQ(fs::read_symlink(folder / "run" / "latest"), "checkpoints/step-00008000");
  fs::rename(folder / "run", folder / "moved");
  EXPECT_EQ(read_plainly(*RunDirectory(folder / "moved").latest() / "file"), "8000");
}

TEST(RunDirectory, PruneKeepsTheListAndWhatLinksName) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  for (int64_t update : {100, 200, 300, 400, 100000000}) add(run, update);
  run.point_best(100);
  run.point_latest(100000000);
  run.prune({300});
  EXPECT_EQ(run.saved_updates(), (std::vector<int64_t>{100, 300, 100000000}));
}

TEST(RunDirectory, ACheckpointTakesThePlaceOfADamagedOne) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  add(run, 5);
  write_plainly(run.checkpoint(5) / "file", "other");
  write_plainly(run.checkpoint(5) / "more", "");
  add(run, 5);
  EXPECT_NO_THROW(check_manifest(run.checkpoint(5)));
}

TEST(RunDirectory, FailedCheckpointLeavesNothing) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  EXPECT_ERROR(run.add_checkpoint(5, [](const fs::path&) { throw Error(ErrorKind::kIo, "full"); }),
               ErrorKind::kIo, "full");
  EXPECT_TRUE(fs::is_empty(run.checkpoints()));
}

TEST(RunDirectory, OpeningRemovesWhatKilledWritersLeft) {
  const TemporaryFolder folder;
  const RunDirectory run(folder / "run");
  run.open(RunMode::kFresh);
  write_plainly(run.config(), "");
  fs::create_directories(run.checkpoints() / ".step-00000005.abcdef.tmp");
  write_plainly(run.folder() / ".config.yaml.abcdef.tmp", "");
  run.open(RunMode::kResume);
  EXPECT_TRUE(fs::is_empty(run.checkpoints()));
  EXPECT_FALSE(fs::exists(run.folder() / ".config.yaml.abcdef.tmp"));
}

}  // namespace
}  // namespace heed
