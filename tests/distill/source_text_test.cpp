#include "distill/source_text.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

class SourceTextOfTeacher : public testing::Test {
 protected:
  std::filesystem::path write(const char* name, const std::string& text) {
    write_plainly(folder_ / name, text);
    return folder_ / name;
  }
  TemporaryFolder folder_;
  TextAndReference files_{folder_ / "source", folder_ / "reference"};
};

TEST_F(SourceTextOfTeacher, IsAllTextWithTheReferencesThatAreKnown) {
  const TextView first{.form = TextView::Form::kTsv, .key = "1"},
      second{.form = TextView::Form::kTsv, .key = "2"};
  const auto table = write("train.tsv", "a\tA\nb\tB\n");
  SourceParts parts{
      .corpora = {{.name = "train", .sides = {{{table}, first}, {{table}, second}}}},
      .sources = {write("more", "c\n \nd\n")},
      .translated_back = {{write("back", "e\n\nf \xff\n"), write("target", "E\nF\nG\n")}}};
  EXPECT_EQ(write_source_text(parts, files_), 5);
  EXPECT_EQ(read_plainly(files_.source), "a\nb\nc\nd\ne\n");
  EXPECT_EQ(read_plainly(files_.reference), "A\nB\n\n\nE\n");
}

TEST_F(SourceTextOfTeacher, NeedsParallelFilesAndSomeText) {
  SourceParts unequal{.translated_back = {{write("back", "e\n"), write("target", "E\nF\n")}}};
  EXPECT_THROW(write_source_text(unequal, files_), Error);
  EXPECT_THROW(write_source_text({.sources = {write("none", "\n")}}, files_), Error);
  EXPECT_FALSE(std::filesystem::exists(files_.source));
}

}  // namespace
}  // namespace heed
