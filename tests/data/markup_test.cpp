// Files that are not lines of sentences, and tables with commas.
#include "data/markup.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/error.h"
#include "base/shell.h"
#include "data_test_tools.h"

namespace heed {
namespace {

using testing::HasSubstr;

class Markup : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    write_plainly(folder / name, text);
    return folder / name;
  }
  // Output of the command for the lines of the source.
  std::string source(const std::string& name, const std::string& text) const {
    const fs::path file = write(name, text);
    const auto found = find_other_text(file, "source");
    if (!found) return "";
    const std::string output = new_name(file, ".txt");
    const std::string command = source_command(*found, file);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read_plainly(output);
  }
  TemporaryFolder folder;
};

TEST_F(Markup, IsTextOfTheSourceAfterOneCommand) {
  EXPECT_EQ(source("a.xml", "<?xml version=\"1.0\"?>\n<a><s>one</s><s>two</s></a>\n"),
            "one\ntwo\n");
  EXPECT_EQ(source("a.html", "<!DOCTYPE html>\n<html><p>one</p>\n<p>two</html>\n"), "one\ntwo\n");
  EXPECT_EQ(source("b.csv", "one;eins\n\"two; three\";zwei\n"), "one\ntwo; three\n");
  EXPECT_EQ(source("a.jsonl", "{\"id\": 1, \"source\": \"one\"}\n{\"source\": \"two\"}\n"),
            "one\ntwo\n");
  EXPECT_EQ(source("b.jsonl", "{\"id\": 1, \"translation\": {\"en\": \"one\"}}\n"), "one\n");
}

TEST_F(Markup, TmxIsConvertedByHeed) {
  for (const char* name : {"a.tmx", "a.tmx.gz"}) {
    const fs::path file = write(name, "<?xml version=\"1.0\"?>\n<tmx>\n");
    const auto found = find_other_text(file, "source");
    ASSERT_TRUE(found);
    EXPECT_EQ(source_command(*found, file),
              fmt::format("heed convert -o - --to tsv {} | cut -f1 > {}", file.string(),
                          (folder / "a.txt").string()));
  }
}

// The command would else write the file that it reads.
TEST_F(Markup, IsNotOverwrittenByItsText) {
  EXPECT_EQ(source("page.txt", "<html><p>one</p></html>\n"), "one\n");
  EXPECT_THAT(read_plainly(folder / "page.txt"), HasSubstr("<html>"));
}

TEST_F(Markup, IsNoSentence) {
  for (const char* text : {"<b>One</b>\n", "{one}\n", "[one]\n", "1 < 2\n", "{\"a\n", ""})
    EXPECT_FALSE(find_other_text(write("plain", text), "source")) << text;
  std::string sentences, same;
  for (int i = 0; i < 20; ++i) {
    sentences += i % 2 ? "Yes, I do.\n" : "Well, no, never.\n";
    same += "Well, yes; or no.\n";
  }
  EXPECT_FALSE(find_other_text(write("plain", sentences), "source"));
  EXPECT_FALSE(find_other_text(write("plain", same), "source"));
}

TEST_F(Markup, OfAPipeIsSeenByItsFirstLine) {
  EXPECT_TRUE(find_other_text_in("<?xml version=\"1.0\"?>", "source"));
  const auto object = find_other_text_in("{\"source\": \"one\"}", "source");
  ASSERT_TRUE(object);
  EXPECT_STREQ(object->found, "lines of JSON objects");
  EXPECT_THAT(source_command(*object, "-"), HasSubstr("['source']"));
  EXPECT_FALSE(find_other_text_in("one, two", "source"));
}

TEST_F(Markup, TablesHaveTheDelimiterOfTheirRows) {
  EXPECT_EQ(find_delimiter(write("a.csv", "Hallo, du;Hello, you\nNein, danke;No, thanks\n"), 2),
            ';');
  EXPECT_EQ(find_delimiter(write("a.csv", "one,eins\ntwo,zwei\n"), 2), ',');
  EXPECT_EQ(find_delimiter(write("a.csv", "\"one, \"\"two\"\"\",\"eins\nzwei\"\n"), 2), ',');
  EXPECT_EQ(find_delimiter(write("a.csv", "one\teins, zwei\n"), 2), std::nullopt);
  EXPECT_EQ(find_delimiter(write("a.txt", "one;eins\ntwo;zwei\n"), 2), ';');
  EXPECT_EQ(find_delimiter(write("a.txt", "one;eins\ntwo\n"), 2), std::nullopt);
  EXPECT_EQ(find_delimiter(write("a.txt", "one;eins\n"), 2), std::nullopt);
  EXPECT_EQ(find_delimiter(write("a.txt", "Well, yes\nNo, never\n"), 2), std::nullopt);
}

// Table as Excel writes it in Germany.
TEST_F(Markup, ATableIsReadInItsEncoding) {
  std::string rows;
  for (int i = 0; i < 10; ++i) rows += "Die T\xfcr ist gr\xfcn;The door is green\n";
  EXPECT_THAT(source("a.csv", rows), testing::StartsWith("Die Tür ist grün\n"));
}

}  // namespace
}  // namespace heed
