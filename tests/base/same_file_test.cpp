#include "base/same_file.h"

#include "temporary_folder.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

class SameFile : public testing::Test {
 protected:
  SameFile() {
    write_plainly(folder_ / "in", "text");
    fs::create_symlink("in", folder_ / "symbolic");
    fs::create_hard_link(folder_ / "in", folder_ / "hard");
  }
  NamedFile named(const char* option, const std::string& name) const {
    return {option, folder_ / name};
  }
  TemporaryFolder folder_;
};

TEST_F(SameFile, OfAnInputAndAnOutputIsRefusedByEveryName) {
  for (const char* name : {"in", "symbolic", "hard", "./in", "none/../in"}) {
    fs::create_directories(folder_ / "none");
    EXPECT_ERROR(refuse_same_files({named("--input", "in")}, {named("--output", name)}),
                 ErrorKind::kUsage, "is the same file as --input");
  }
  EXPECT_NO_THROW(refuse_same_files({named("--input", "in")}, {named("--output", "out")}));
}

// The archive would be lost.
TEST_F(SameFile, OfAMemberIsItsArchive) {
  write_plainly(folder_ / "a.zip", "PK");
  std::filesystem::create_symlink(folder_ / "a.zip", folder_ / "b.tsv");
  EXPECT_ERROR(refuse_same_files({{"input", folder_ / "a.zip/t.en"}}, {{"-o", folder_ / "b.tsv"}}),
               ErrorKind::kUsage, "is the same file as");
}

TEST_F(SameFile, OfTwoOutputsIsRefusedEvenBeforeItExists) {
  EXPECT_ERROR(refuse_same_files({}, {named("--output", "new"), named("--alignments", "./new")}),
               ErrorKind::kUsage, "is the same file as --output");
  EXPECT_ERROR(refuse_same_files({}, {{"--output", "-"}, {"--alignments", "-"}}), ErrorKind::kUsage,
               "--output - and --alignments -: only one of them can be standard output");
  EXPECT_NO_THROW(
      refuse_same_files({}, {named("--output", "new"), named("--alignments", "other")}));
}

TEST_F(SameFile, DevicesMayStandForSeveral) {
  EXPECT_NO_THROW(refuse_same_files({{"--input", "/dev/null"}},
                                    {{"--output", "/dev/null"}, {"--attention", "/dev/null"}}));
}

}  // namespace
}  // namespace heed
