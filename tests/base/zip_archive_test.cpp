// Zip archives of folders.
#include "base/compression/zip_archive.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/file.h"
#include "base/replace_all.h"
#include "base/shell.h"
#include "temporary_folder.h"

namespace heed {
namespace {

class ZipArchive : public testing::Test {
 protected:
  ZipArchive() {
    fs::create_directories(folder_ / "content/model");
    write_file(folder_ / "content/metadata.json", "{}\n");
    write_file(folder_ / "content/model/model.bin", std::string(300'000, 'x') + "end");
    write_file(folder_ / "content/model/empty", "");
    write_zip(archive_, folder_ / "content", "aa");
    fs::create_directories(unpacked_);
  }
  void change(const std::string& from, const std::string& to) const {
    write_plainly(archive_, replace_all(read_plainly(archive_), from, to));
  }
  void expect_refused(const std::string& part) const {
    EXPECT_ERROR(unpack_zip(archive_, unpacked_), ErrorKind::kModel, part);
  }

  TemporaryFolder folder_;
  const fs::path archive_ = folder_ / "a.zip", unpacked_ = folder_ / "unpacked";
};

TEST_F(ZipArchive, HasTheFilesOfTheFolder) {
  EXPECT_TRUE(is_zip(archive_));
  unpack_zip(archive_, unpacked_);
  for (const char* file : {"metadata.json", "model/model.bin", "model/empty"})
    EXPECT_EQ(read_file(unpacked_ / "aa" / file), read_file(folder_ / "content" / file)) << file;
}

TEST_F(ZipArchive, IsReadByPython) {
  const std::string command =
      "python3 -c 'import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); assert a.testzip() is "
      "None; "
      "assert sorted(a.namelist()) == [\"aa/metadata.json\", \"aa/model/empty\", "
      "\"aa/model/model.bin\"]; assert a.read(\"aa/model/model.bin\") == b\"x\" * 300000 + "
      "b\"end\"' " +
      shell_word(archive_.string());
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(ZipArchive, IsReadWithoutAFolder) {
  const std::string large = std::string(300'000, 'x') + "end";
  std::map<std::string, std::string> read;
  read_zip(archive_, [&](const std::string& name, std::string bytes) { read[name] = bytes; });
  EXPECT_EQ(read, (std::map<std::string, std::string>{{"aa/metadata.json", "{}\n"},
                                                      {"aa/model/empty", ""},
                                                      {"aa/model/model.bin", large}}));
  const fs::path stored = folder_ / "stored.zip";
  write_stored_zip(stored, {{"b", [&] { return large; }}, {"a/c", [] { return std::string(); }}});
  EXPECT_GT(fs::file_size(stored), large.size());
  read.clear();
  read_zip(stored, [&](const std::string& name, std::string bytes) { read[name] = bytes; });
  EXPECT_EQ(read, (std::map<std::string, std::string>{{"a/c", ""}, {"b", large}}));
}

TEST_F(ZipArchive, WritesNothingOutsideOfTheFolder) {
  change("aa/metadata.json", "../etadata.json_");
  expect_refused("has the path ../etadata.json_, which leads out of it");
  EXPECT_FALSE(fs::exists(folder_ / "etadata.json_"));
}

TEST_F(ZipArchive, IsRefusedIfAPathIsAbsolute) {
  change("aa/metadata.json", "/tmp/heed_test.x");
  expect_refused("which leads out of it");
}

TEST_F(ZipArchive, IsRefusedIfItIsDamaged) {
  const fs::path intact = folder_ / "intact.zip";
  fs::copy(archive_, intact);
  std::string bytes = read_plainly(archive_);
  for (size_t i = bytes.find("model.bin") + 30; i < bytes.find("model.bin") + 60; ++i)
    bytes[i] ^= 0x55;
  write_plainly(archive_, bytes);
  expect_refused("is damaged");
  write_plainly(archive_, bytes.substr(0, bytes.size() / 2));
  expect_refused("is not a zip archive, or is damaged or truncated");
  const std::string whole = read_plainly(intact);
  for (const std::string& other : {whole.substr(0, whole.size() - 1), whole + "x"}) {
    write_plainly(archive_, other);
    expect_refused("is truncated, or other data follow the archive");
  }
  write_plainly(archive_, "text");
  EXPECT_FALSE(is_zip(archive_));
  expect_refused("is not a zip archive");
}

}  // namespace
}  // namespace heed
