#include "run/run_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>

#include "../base/temporary_folder.h"

namespace heed {
namespace {

// Takes the lock and holds it until it is killed.
pid_t hold_lock(const std::filesystem::path& folder) {
  std::array<int, 2> ready{};
  HEED_CHECK(pipe(ready.data()) == 0);
  const pid_t process = fork();
  if (process == 0) {
    const RunLock lock(folder);
    HEED_CHECK(write(ready[1], "!", 1) == 1);
    pause();
    _exit(0);
  }
  char unused = 0;
  EXPECT_EQ(read(ready[0], &unused, 1), 1);
  close(ready[0]);
  close(ready[1]);
  return process;
}

TEST(RunLock, NamesTheProcessAndTheHostThatHoldIt) {
  const TemporaryFolder folder;
  const pid_t process = hold_lock(folder.path());
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  EXPECT_ERROR(RunLock(folder.path()), ErrorKind::kIo,
               fmt::format("{}: process {} on {} is training this run", folder.path().string(),
                           process, host.data()));
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

TEST(RunLock, HoldsWithoutItsFile) {
  const TemporaryFolder folder;
  const RunLock lock(folder.path());
  std::filesystem::remove(folder / ".lock");
  EXPECT_ERROR(RunLock(folder.path()), ErrorKind::kIo, "is training this run");
}

TEST(RunLock, IsGivenBackByAKilledProcess) {
  const TemporaryFolder folder;
  const pid_t process = hold_lock(folder.path());
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  EXPECT_NO_THROW(RunLock(folder.path()));
}

// `heed runs` looks whether a run is locked.
TEST(RunLock, IsSeenByOthers) {
  const TemporaryFolder folder;
  const Descriptor looking = Descriptor::open_to_read(folder.path());
  EXPECT_FALSE(looking.is_locked());
  const RunLock lock(folder.path());
  EXPECT_TRUE(looking.is_locked());
}

TEST(RunLock, IsHeldAsLongAsItLives) {
  const TemporaryFolder folder;
  std::optional<RunLock> lock(folder.path());
  EXPECT_ERROR(RunLock(folder.path()), ErrorKind::kIo, "is training this run");
  lock.reset();
  EXPECT_NO_THROW(RunLock(folder.path()));
}

TEST(RunLock, WantsAFolderItCanWriteTo) {
  const TemporaryFolder folder;
  EXPECT_ERROR(RunLock(folder / "nowhere"), ErrorKind::kIo, "nowhere/.lock: cannot write");
}

}  // namespace
}  // namespace heed
