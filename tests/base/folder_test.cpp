#include "base/folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "temporary_folder.h"

namespace heed {
namespace {

using Names = std::vector<std::string>;

// No more files can be opened while it lives.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &saved_);
    rlimit none = saved_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &saved_); }

 private:
  rlimit saved_{};
};

TEST(Folder, IsListedSorted) {
  const TemporaryFolder folder;
  for (const char* name : {"b", "a", ".hidden"}) write_plainly(folder / name, "");
  make_folders(folder / "c/d/");
  write_plainly(folder / "c/d/e", "");
  EXPECT_EQ(list_folder(folder.path()),
            (std::vector<fs::path>{folder / ".hidden", folder / "a", folder / "b", folder / "c"}));
  EXPECT_EQ(list_files(folder.path()), (std::vector<fs::path>{folder / ".hidden", folder / "a",
                                                              folder / "b", folder / "c/d/e"}));
  EXPECT_TRUE(list_folder(folder / "none").empty());
}

TEST(Folder, TooManyOpenFilesAreAnIoErrorThatSaysSo) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "text");
  const NoMoreFiles none;
  EXPECT_ERROR(list_folder(folder.path()), ErrorKind::kIo, "raise `ulimit -n`");
  EXPECT_ERROR(read_file(folder / "file"), ErrorKind::kIo, "Too many open files");
  EXPECT_ERROR(write_file(folder / "new", "text"), ErrorKind::kIo, "new: cannot write: Too many");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kIo, "Too many open files");
}

TEST(Folder, WhatCannotBeMadeIsAnIoErrorWithThePath) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "");
  EXPECT_ERROR(make_folder(folder / "none/inner"), ErrorKind::kIo, "none/inner: cannot make this");
  EXPECT_ERROR(make_folders(folder / "file/inner"), ErrorKind::kIo,
               "file: cannot make this folder: File exists");
  EXPECT_NO_THROW(make_folders(folder.path()));
  EXPECT_ERROR(make_folder(folder.path()), ErrorKind::kIo, "File exists");
}

TEST(RemoveTree, TakesFilesFoldersAndLinksAndNothingBehindThem) {
  const TemporaryFolder folder;
  make_folders(folder / "tree/inner");
  write_plainly(folder / "tree/inner/file", "");
  write_plainly(folder / "kept", "");
  fs::create_symlink("../kept", folder / "tree/link");
  fs::create_directory_symlink("tree", folder / "link");
  remove_tree(folder / "link");
  EXPECT_TRUE(is_there(folder / "tree/inner/file"));
  remove_tree(folder / "tree");
  remove_tree(folder / "none");
  EXPECT_EQ(folder.names(), Names{"kept"});
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
  EXPECT_ERROR(replace_link(folder / "real", "two"), ErrorKind::kIo, "cannot make this link");
  EXPECT_EQ(folder.names(), (Names{"latest", "real"}));
}

}  // namespace
}  // namespace heed
