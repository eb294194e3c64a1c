#include "base/small_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/sealed_json.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

TEST(SmallFile, IsReadToItsLimit) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "1234");
  EXPECT_EQ(read_file(folder / "file"), "1234");
  EXPECT_EQ(read_file(folder / "file", 4), "1234");
  EXPECT_ERROR(read_file(folder / "file", 3), ErrorKind::kIo, "file: has more than 3 bytes");
  EXPECT_EQ(read_file_or_empty(folder / "none"), "");
  EXPECT_NE(read_file_or_empty("/proc/self/statm"), "");  // its size is said to be 0
}

// A terabyte without a block on the disk.
TEST(SmallFile, OfAnySizeIsRefusedAtOnce) {
  const TemporaryFolder folder;
  write_plainly(folder / "file", "");
  ASSERT_EQ(truncate((folder / "file").c_str(), off_t{1} << 40), 0);
  try {
    read_file(folder / "file");
    ADD_FAILURE();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("has more than 268,435,456 bytes"));
    EXPECT_TRUE(error.is_about_the_file());
  }
}

TEST(SmallFile, IsNeitherAPipeNorADeviceNorAFolder) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "zero");
  for (const auto& [path, why] :
       {std::pair<fs::path, const char*>{folder / "pipe", "is not a regular file"},
        {folder / "zero", "is not a regular file"},
        {folder.path(), "Is a directory"}}) {
    EXPECT_ERROR(read_file(path), ErrorKind::kIo, why);
    EXPECT_ERROR(expect_regular_file(path), ErrorKind::kIo, why);
    EXPECT_ERROR(Descriptor::open_to_write(path, O_CREAT | O_APPEND), ErrorKind::kIo, why);
  }
  EXPECT_ERROR(Descriptor::open_to_write(folder / "zero", O_RDWR | O_CREAT), ErrorKind::kIo,
               "is not a regular file");
}

TEST(SealedJson, FindsEveryChangedByte) {
  const std::string text = seal_json("\"a\":1");
  EXPECT_TRUE(has_seal(text));
  for (size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] ^= 1;
    EXPECT_FALSE(has_seal(changed)) << at;
    EXPECT_FALSE(has_seal(text.substr(0, at)));
  }
}

}  // namespace
}  // namespace heed
