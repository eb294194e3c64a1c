#include <sys/stat.h>

#include "base/file.h"
#include "base/sealed_json.h"
#include "temporary_folder.h"

namespace heed {
namespace {

void make_model(const fs::path& folder) {
  fs::create_directories(folder / "inner");
  write_file(folder / "weights", std::string(1000, 'w'));
  write_file(folder / "inner/config.yaml", "a: 1\n");
  write_file(folder / "empty", "");
  write_manifest(folder / "inner");
  write_manifest(folder, R"({"update": 7, "tool": "heed"})");
}

TEST(Manifest, AcceptsWhatItWroteAndGivesTheExtraBack) {
  const TemporaryFolder folder;
  make_model(folder.path());
  EXPECT_EQ(check_manifest(folder.path()), R"({"tool":"heed","update":7})");
  EXPECT_EQ(check_manifest(folder / "inner"), "{}");
}

TEST(Manifest, SurvivesBeingMoved) {
  const TemporaryFolder folder;
  make_model(folder / "a");
  fs::rename(folder / "a", folder / "b");
  EXPECT_NO_THROW(check_manifest(folder / "b"));
}

TEST(Manifest, FindsEveryFlippedBitAndEveryTruncation) {
  const TemporaryFolder folder;
  make_model(folder.path());
  for (const std::string name :
       {"weights", "inner/config.yaml", "inner/MANIFEST.json", "MANIFEST.json"}) {
    const std::string whole = read_plainly(folder / name);
    for (size_t bit = 0; bit<whole.size() * 8; bit += whole.size()> 500 ? 13 : 1) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      write_plainly(folder / name, damaged);
      EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, (folder / name).string());
    }
    for (size_t length : {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 1}) {
      write_plainly(folder / name, whole.substr(0, length));
      EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, (folder / name).string());
    }
    write_plainly(folder / name, whole + "x");
    EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, (folder / name).string());
    write_plainly(folder / name, whole);
  }
  EXPECT_NO_THROW(check_manifest(folder.path()));
}

// Taken for damage, they could cost a checkpoint.
TEST(Manifest, OfAnEditedConfigSaysWhatToDoInstead) {
  const TemporaryFolder folder;
  make_model(folder.path());
  for (const char* edited : {"a: 2\n", "a: 20\n"}) {
    write_plainly(folder / "inner/config.yaml", edited);
    EXPECT_ERROR(check_manifest(folder / "inner"), ErrorKind::kModel,
                 "options of a command, such as --set search.beam=8, or of a call");
  }
  write_plainly(folder / "inner/config.yaml", "a: 1\n");
  write_plainly(folder / "weights", "w");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel,
               "weights: is damaged: it has 1 bytes, expected 1000; copy or train");
}

TEST(Manifest, LeavesOutWhatFileManagersLeave) {
  const TemporaryFolder folder;
  make_model(folder.path());
  for (const char* name : {".DS_Store", "inner/._x", "Thumbs.db", "inner/desktop.ini"})
    write_plainly(folder / name, "x");
  EXPECT_NO_THROW(check_manifest(folder.path()));
}

TEST(Manifest, TellsAForeignFileFromDamage) {
  const TemporaryFolder folder;
  make_model(folder.path());
  write_plainly(folder / "notes.txt", "x");
  EXPECT_THROW(check_manifest(folder.path()), ForeignFile);
  write_plainly(folder / "inner/config.yaml", "a: 2\n");
  try {
    check_manifest(folder.path());
    ADD_FAILURE();
  } catch (const ForeignFile&) {
    ADD_FAILURE() << "damage is reported first";
  } catch (const Error&) {
  }
}

TEST(Manifest, FindsMissingAndForeignFiles) {
  const TemporaryFolder folder;
  make_model(folder.path());
  write_plainly(folder / "inner/more", "");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel,
               "inner/more: does not belong here");
  fs::remove(folder / "inner/more");
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, "is not a regular file");
  fs::remove(folder / "dangling");
  fs::remove(folder / "empty");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, "empty: is missing");
  write_plainly(folder / "empty", "");
  EXPECT_NO_THROW(check_manifest(folder.path()));
  fs::remove(folder / "MANIFEST.json");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, "MANIFEST.json: cannot open");
  EXPECT_ERROR(check_manifest(folder / "none"), ErrorKind::kModel, "no such folder");
}

// A pipe would be waited for, /dev/zero would never end.
TEST(Manifest, RefusesWhatIsNoPlainFileWithoutOpeningIt) {
  const TemporaryFolder folder;
  for (const char* name : {"weights", "inner/MANIFEST.json", "MANIFEST.json"}) {
    make_model(folder.path());
    fs::remove(folder / name);
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
    EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, "is not a regular file");
    fs::remove(folder / name);
    fs::create_symlink("/dev/zero", folder / name);
    EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel, "is not a regular file");
    fs::remove(folder / name);
  }
}

TEST(Manifest, IsReplacedByANewOne) {
  const TemporaryFolder folder;
  make_model(folder.path());
  write_file(folder / "weights", "other");
  write_manifest(folder.path());
  EXPECT_EQ(check_manifest(folder.path()), "{}");
}

// Replaces the line of the format.
void write_format(const fs::path& folder, const std::string& line) {
  const std::string whole = read_file(folder / kManifest);
  const size_t begin = whole.find("\"format\""), end = whole.find("\"extra\"");
  const std::string body = whole.substr(begin, whole.rfind('}') - begin);
  write_file(folder / kManifest, seal_json(line + body.substr(end - begin)));
}

TEST(Manifest, HasAFormat) {
  const TemporaryFolder folder;
  make_model(folder.path());
  EXPECT_NE(read_file(folder / kManifest).find("\n\"format\":2,\n"), std::string::npos);
  write_format(folder.path(), "\"format\":1,\n");
  EXPECT_NO_THROW(check_manifest(folder.path()));
  EXPECT_EQ(manifest_format(folder.path()), 1);
  write_format(folder.path(), "\"format\":3,\n");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel,
               "MANIFEST.json: is of format 3, and this version of heed reads 1 to 2; use a newer");
  make_model(folder.path());
  write_format(folder.path(), "");
  EXPECT_ERROR(check_manifest(folder.path()), ErrorKind::kModel,
               "MANIFEST.json: has no format number, so heed wrote it before its format was fixed");
}

}  // namespace
}  // namespace heed
