#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/descriptor.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace heed {
namespace {

using Names = std::vector<std::string>;

// Simulates a full disk while it exists: files cannot grow beyond `bytes`.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &saved_);
    rlimit small = saved_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &saved_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit saved_{};
  void (*handler_)(int);
};

TEST(AtomicFile, AppearsWhenItIsCommitted) {
  const TemporaryFolder folder;
  if (!Descriptor::open_unnamed(folder.path(), "out")) GTEST_SKIP() << "files have names here";
  AtomicFile file(folder / "out");
  file.write("one ");
  file.write("two");
  file.flush();
  EXPECT_EQ(folder.names(), Names{});
  file.commit();
  EXPECT_EQ(folder.names(), Names{"out"});
  EXPECT_EQ(read_file(folder / "out"), "one two");
}

TEST(AtomicFile, LeavesTheOldFileWithoutCommit) {
  const TemporaryFolder folder;
  write_file(folder / "out", "old");
  {
    AtomicFile file(folder / "out");
    file.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(read_file(folder / "out"), "old");
  }
  EXPECT_EQ(folder.names(), Names{"out"});
  EXPECT_EQ(read_file(folder / "out"), "old");
}

TEST(AtomicFile, HoldsAnyBytes) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 1'000'000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  write_file(folder / "out", bytes);
  EXPECT_EQ(read_file(folder / "out"), bytes);
  write_file(folder / "out", "");
  EXPECT_EQ(read_file(folder / "out"), "");
}

TEST(AtomicFile, LeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  write_file(folder / "out", "old");
  {
    const SmallDisk disk(100'000);
    EXPECT_ERROR(write_file(folder / "out", std::string(200'000, 'x')), ErrorKind::kIo,
                 "File too large");
    EXPECT_ERROR(write_file(folder / "new", std::string(2'000'000, 'x')), ErrorKind::kIo,
                 (folder / "new").string().substr(0, folder.path().string().size()));
  }
  EXPECT_EQ(folder.names(), Names{"out"});
  EXPECT_EQ(read_file(folder / "out"), "old");
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  EXPECT_ERROR(write_file("/dev/full", "text"), ErrorKind::kIo,
               "/dev/full: cannot write: No space left on device; free");
  EXPECT_ERROR(write_file("/dev/full", std::string(1 << 20, 'x')), ErrorKind::kIo, "No space left");
}

TEST(AtomicFile, WritesThroughDevicesAndPipes) {
  struct stat status {};
  write_file("/dev/null", "text");
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write_file(folder / "pipe", "text");
  char bytes[8];
  EXPECT_EQ(read(reader, bytes, sizeof(bytes)), 4);
  close(reader);
  EXPECT_EQ(folder.names(), Names{"pipe"});
}

TEST(AtomicFile, KeepsALink) {
  const TemporaryFolder folder;
  write_file(folder / "real", "old");
  fs::create_symlink("real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(AtomicFile, RefusesFoldersAndMissingFolders) {
  const TemporaryFolder folder;
  EXPECT_ERROR(AtomicFile(folder.path()), ErrorKind::kIo, "this is a folder");
  EXPECT_ERROR(AtomicFile(folder / "none/out"), ErrorKind::kIo, "there is no folder");
  EXPECT_TRUE(folder.names().empty());
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(AtomicFile, KeepsTheModeOfTheFileThatItReplaces) {
  const TemporaryFolder folder;
  for (const mode_t mode : {0600u, 0640u, 0444u, 0666u}) {
    write_plainly(folder / "out", "old");
    ASSERT_EQ(chmod((folder / "out").c_str(), mode), 0);
    write_file(folder / "out", "new");
    EXPECT_EQ(mode_of(folder / "out"), mode);
    EXPECT_EQ(read_file(folder / "out"), "new");
    fs::remove(folder / "out");
  }
}

TEST(AtomicFile, KeepsTheOwnerOfTheFileThatItReplaces) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give files to others";
  const TemporaryFolder folder;
  write_plainly(folder / "out", "old");
  ASSERT_EQ(chown((folder / "out").c_str(), 12345, 54321), 0);
  write_file(folder / "out", "new");
  struct stat status {};
  ASSERT_EQ(stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345u);
  EXPECT_EQ(status.st_gid, 54321u);
}

// File systems without unnamed files keep the temporary file of a killed writer.
TEST(AtomicFile, RemovesTheTemporaryFileOfAKilledWriter) {
  const TemporaryFolder folder;
  write_plainly(folder / ".out.ab12cd.tmp", "half");
  write_plainly(folder / ".other.ab12cd.tmp", "half");
  write_plainly(folder / ".out.more.ab12cd.tmp", "half");
  write_plainly(folder / ".out.ab12cd.tmpx", "x");
  write_plainly(folder / ".out.zz99zz.tmp", "of a writer that lives");
  const int living = open((folder / ".out.zz99zz.tmp").c_str(), O_RDONLY);
  ASSERT_EQ(flock(living, LOCK_EX), 0);
  write_file(folder / "out", "new");
  EXPECT_EQ(folder.names(), (Names{".other.ab12cd.tmp", ".out.ab12cd.tmpx", ".out.more.ab12cd.tmp",
                                   ".out.zz99zz.tmp", "out"}));
  close(living);
}

TEST(AtomicFile, KilledLeavesNothing) {
  const TemporaryFolder folder;
  if (!Descriptor::open_unnamed(folder.path(), "out")) GTEST_SKIP() << "files have names here";
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(folder / "out");
    file.write(std::string(1 << 20, 'x'));
    file.flush();
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.names(), Names{});
}

TEST(AtomicFiles, AppearTogether) {
  const TemporaryFolder folder;
  write_plainly(folder / "one", "old");
  AtomicFile one(folder / "one"), two(folder / "two");
  one.write("first");
  two.write("second");
  EXPECT_EQ(read_file(folder / "one"), "old");
  commit_all({&one, &two});
  EXPECT_EQ(folder.names(), (Names{"one", "two"}));
  EXPECT_EQ(read_file(folder / "one"), "first");
  EXPECT_EQ(read_file(folder / "two"), "second");
}

TEST(AtomicFiles, NoneAppearsIfOneCannotBeWritten) {
  const TemporaryFolder folder;
  write_plainly(folder / "one", "old");
  const auto write = [&](const fs::path& last, const std::string& text) {
    AtomicFile one(folder / "one"), two(folder / "two"), three(last);
    for (AtomicFile* file : {&one, &two}) file->write("new");
    three.write(text);
    fs::create_directory(folder / "three");  // in place of the third file
    commit_all({&one, &two, &three});
  };
  EXPECT_ERROR(write("/dev/full", "x"), ErrorKind::kIo, "No space left");
  fs::remove(folder / "three");
  EXPECT_ERROR(write(folder / "three", "x"), ErrorKind::kIo, "three: cannot write");
  EXPECT_EQ(folder.names(), (Names{"one", "three"}));
  EXPECT_EQ(read_file(folder / "one"), "old");
}

TEST(AtomicFile, FollowsTheUsersMask) {
  const TemporaryFolder folder;
  const mode_t saved = umask(027);
  write_file(folder / "out", "text");
  umask(saved);
  EXPECT_EQ(mode_of(folder / "out"), 0640u);
}

TEST(AtomicDirectory, AppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  {
    AtomicDirectory directory(folder / "step");
    fs::create_directory(directory.temporary() / "model");
    write_file(directory.temporary() / "model" / "weights", "w");
    EXPECT_FALSE(fs::exists(folder / "step"));
    directory.commit();
  }
  EXPECT_EQ(folder.names(), (Names{"step", "step/model", "step/model/weights"}));
  {
    AtomicDirectory directory(folder / "other");
    write_file(directory.temporary() / "file", "x");
  }
  EXPECT_EQ(folder.names(), (Names{"step", "step/model", "step/model/weights"}));
}

TEST(AtomicDirectory, LeavesNothingWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const auto fill = [&] {
    AtomicDirectory directory(folder / "step");
    write_file(directory.temporary() / "small", "x");
    const SmallDisk disk(1000);
    write_file(directory.temporary() / "large", std::string(10'000, 'x'));
    directory.commit();
  };
  EXPECT_ERROR(fill(), ErrorKind::kIo, "File too large");
  EXPECT_TRUE(folder.names().empty());
}

TEST(AtomicDirectory, ReplacesWhatIsThere) {
  const TemporaryFolder folder;
  for (const char* text : {"old", "new"}) {
    AtomicDirectory directory(folder / "step");
    write_plainly(directory.temporary() / text, text);
    directory.replace();
  }
  EXPECT_EQ(read_plainly(folder / "step" / "new"), "new");
  EXPECT_FALSE(fs::exists(folder / "step" / "old"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"step", "step/new"}));
}

// The folder has temporary names of killed writers and of a running one.
TEST(AtomicDirectory, RemovesWhatAKilledWriterLeft) {
  const TemporaryFolder folder;
  fs::create_directories(folder / ".step.ab12cd.tmp/model");
  write_plainly(folder / ".step.zzzzzz.tmp", "x");
  write_plainly(folder / ".steps.ab12cd.tmp", "x");
  AtomicDirectory at_work(folder / "step");
  {
    AtomicDirectory second(folder / "step");
    write_plainly(second.temporary() / "file", "x");
    second.commit();
  }
  const std::string own = at_work.temporary().filename();
  EXPECT_THAT(folder.names(),
              testing::UnorderedElementsAre(".steps.ab12cd.tmp", own, "step", "step/file"));
  fs::create_directories(folder / ".out.ab12cd.tmp");
  write_file(folder / "out", "x");
  EXPECT_THAT(folder.names(), testing::Not(testing::Contains(".out.ab12cd.tmp")));
}

TEST(AtomicDirectory, DoesNotReplaceWhatIsThere) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "step");
  write_file(folder / "step/file", "old");
  AtomicDirectory directory(folder / "step/");
  write_file(directory.temporary() / "file", "new");
  EXPECT_ERROR(directory.commit(), ErrorKind::kIo, (folder / "step").string());
  EXPECT_EQ(read_file(folder / "step/file"), "old");
  EXPECT_ERROR(AtomicDirectory(folder / "none/step"), ErrorKind::kIo, "No such file");
}

}  // namespace
}  // namespace heed
