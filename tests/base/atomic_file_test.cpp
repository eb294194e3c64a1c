#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "base/file.h"
#include "temporary_folder.h"

namespace heed {
namespace {

using Names = std::vector<std::string>;

// Files may not grow beyond `bytes` while it lives: the disk is full.
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
  AtomicFile file(folder / "out");
  file.write("one ");
  file.write("two");
  file.flush();
  const Names before = folder.names();
  ASSERT_EQ(before.size(), 1u);
  EXPECT_TRUE(before[0].starts_with(".out.") && before[0].ends_with(".tmp")) << before[0];
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

TEST(AtomicFile, FollowsTheUsersMask) {
  const TemporaryFolder folder;
  const mode_t saved = umask(027);
  write_file(folder / "out", "text");
  umask(saved);
  struct stat status {};
  ASSERT_EQ(stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
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

TEST(RemoveTemporaries, RemovesOnlyWhatKilledWritersLeft) {
  const TemporaryFolder folder;
  fs::create_directories(folder / ".step-1.ab12cd.tmp/model");
  write_plainly(folder / ".out.zzzzzz.tmp", "x");
  write_plainly(folder / "out.tmp", "x");
  write_plainly(folder / ".hidden", "x");
  remove_temporaries(folder.path());
  EXPECT_EQ(folder.names(), (Names{".hidden", "out.tmp"}));
  remove_temporaries(folder / "none");
}

TEST(ReplaceLink, AlwaysPointsSomewhere) {
  const TemporaryFolder folder;
  replace_link(folder / "latest", "one");
  EXPECT_EQ(fs::read_symlink(folder / "latest"), "one");
  replace_link(folder / "latest", "two");
  EXPECT_EQ(fs::read_symlink(folder / "latest"), "two");
  EXPECT_EQ(folder.names(), Names{"latest"});
  fs::create_directory(folder / "real");
  EXPECT_ERROR(replace_link(folder / "real", "two"), ErrorKind::kIo, "cannot create this link");
  EXPECT_EQ(folder.names(), (Names{"latest", "real"}));
}

}  // namespace
}  // namespace heed
