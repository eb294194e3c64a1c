// Columns of tables and values of JSON lines as the lines of a text.
#include "data/text_view.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "data/evaluation_set.h"
#include "data/side_text.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

using Lines = std::vector<std::string>;
using Form = TextView::Form;
using testing::HasSubstr;
using testing::IsEmpty;

struct Shown {
  Lines texts, faults;
  int joined = 0;
};

// Each text in order, and once more by the offset of its line.
Shown shown(const TextFiles& files) {
  DataCache cache;
  const SideText text(files, cache);
  Shown result;
  std::vector<uint64_t> offsets;
  SideText::Reader reader(text);
  std::string line;
  for (uint64_t offset = 0; reader.next(line, offset);) {
    result.texts.push_back(line);
    result.faults.push_back(reader.notes().fault);
    result.joined += reader.notes().joined;
    EXPECT_EQ(reader.place(), text.place(std::ssize(offsets)));
    offsets.push_back(offset);
  }
  for (size_t i = offsets.size(); i-- > 0;) EXPECT_EQ(text.line(offsets[i]), result.texts[i]);
  EXPECT_EQ(text.lines(), std::ssize(result.texts));
  return result;
}

class TextViewTest : public testing::Test {
 protected:
  Shown tsv(const std::string& content, const std::string& key) {
    write_plainly(folder / "a.tsv", content);
    return shown({{folder / "a.tsv"}, {Form::kTsv, key}});
  }
  Shown jsonl(const std::string& content, const std::string& key) {
    write_plainly(folder / "a.jsonl", content);
    return shown({{folder / "a.jsonl"}, {Form::kJsonLines, key}});
  }
  TemporaryFolder folder;
};

TEST_F(TextViewTest, ShowsAColumnByItsNumber) {
  holds({"data.train[].tsv", "data.valid.tsv", "data.test.NAME.tsv"});
  const std::string rows = "one\teins\tx\r\ntwo\tzwei\n\tdrei\t\nlast\tvier";
  EXPECT_EQ(tsv(rows, "1").texts, (Lines{"one", "two", "", "last"}));
  EXPECT_EQ(tsv(rows, "2").texts, (Lines{"eins", "zwei", "drei", "vier"}));
  EXPECT_EQ(tsv(rows, "3").texts, (Lines{"x", "", "", ""}));
  EXPECT_EQ(tsv(rows, "3").faults[1], "has 2 columns, expected column 3");
  EXPECT_EQ(tsv(rows, "3").faults[2], "");
}

TEST_F(TextViewTest, ShowsAColumnByItsName) {
  const std::string rows = std::string(kByteOrderMark) + "en\tde\nx\ty\nu\tv\n";
  EXPECT_EQ(tsv(rows, "de").texts, (Lines{"y", "v"}));
  EXPECT_EQ(tsv(rows, "en").texts, (Lines{"x", "u"}));
  EXPECT_ERROR(tsv(rows, "den"), ErrorKind::kData,
               "a.tsv:1: has no column 'den', found: en, de; did");
  EXPECT_ERROR(tsv("", "de"), ErrorKind::kData, "has no column 'de'");
  EXPECT_ERROR(tsv(rows, "0"), ErrorKind::kUsage, "columns are counted from 1");
  write_gzip(folder / "b.gz", "de\tother\nz\tw\n");  // the column stands elsewhere
  EXPECT_EQ(shown({{folder / "a.tsv", folder / "b.gz"}, {Form::kTsv, "de"}}).texts,
            (Lines{"y", "v", "z"}));
}

TEST_F(TextViewTest, JoinsColumnsByATab) {
  const std::string rows = "lemma\tform\ttags\ngo\twent\tV;PST\n\tx\tN\nsing\n";
  EXPECT_EQ(tsv(rows, "1+3").texts, (Lines{"lemma\ttags", "go\tV;PST", "\tN", ""}));
  EXPECT_EQ(tsv(rows, "1+3").faults[3], "has 1 column, expected column 3");
  EXPECT_EQ(tsv(rows, "tags+lemma").texts, (Lines{"V;PST\tgo", "N\t", ""}));
  EXPECT_EQ(tsv(rows, "3+3").texts[1], "V;PST\tV;PST");
  EXPECT_ERROR(tsv(rows, "lemma+tag"), ErrorKind::kData, "no column 'tag', found: lemma, form");
  EXPECT_ERROR(tsv(rows, "1+0"), ErrorKind::kUsage, "counted from 1");
  EXPECT_EQ(tsv("a\ta+b\tb\n1\t2\t3\n", "a+b").texts, (Lines{"2"}));
  const std::string objects =
      "{\"lemma\": \"go\", \"x\": {\"tags\": \"V\"}}\n{\"lemma\": \"\", \"x\": {\"tags\": "
      "\"N\"}}\n{\"lemma\": \"sing\"}\n{\"lemma+x.tags\": \"whole\"}\n";
  const Shown found = jsonl(objects, "lemma+x.tags");
  EXPECT_EQ(found.texts, (Lines{"go\tV", "\tN", "", "whole"}));
  EXPECT_THAT(found.faults[2], HasSubstr("has no key 'x.tags'"));
}

// Quotation marks are characters like others, as in data sets of OPUS and Hugging Face.
TEST_F(TextViewTest, ReadsQuotesAsText) {
  EXPECT_EQ(tsv("\"one\"\t\"ei\"\"ns\"\n", "2").texts, (Lines{"\"ei\"\"ns\""}));
  const Shown broken = tsv("one\t\"first half\nsecond half\"\nthree\tdrei\n", "2");
  EXPECT_EQ(broken.texts, (Lines{"\"first half", "", "drei"}));
  EXPECT_THAT(broken.faults[1], HasSubstr("a line break within quotes ends the row"));
}

TEST_F(TextViewTest, ShowsAValueOfJsonLines) {
  holds({"data.train[].jsonl", "data.valid.jsonl", "data.test.NAME.jsonl"});
  const std::string rows =
      R"({"id": 1, "translation": {"en": "one", "de": "eins"}})"
      "\n"
      R"({"translation": {"de": "zw\u00e4i \"zwei\"", "en": "two"}, "translation.en": "whole"})"
      "\n";
  EXPECT_EQ(jsonl(rows, "translation.de").texts, (Lines{"eins", "zwäi \"zwei\""}));
  EXPECT_EQ(jsonl(rows, "translation.en").texts, (Lines{"one", "whole"}));
}

TEST_F(TextViewTest, MakesOneLineOfAJsonText) {
  const Shown two = jsonl("{\"a\": \"one\\ntwo\\u2028three\"}\n{\"a\": \"four\"}\n", "a");
  EXPECT_EQ(two.texts, (Lines{"one two three", "four"}));
  EXPECT_EQ(two.joined, 1);
  EXPECT_THAT(two.faults, testing::Each(""));
}

TEST_F(TextViewTest, SaysWhyAJsonLineHasNoText) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"{\"a\": \"x\"", "is not valid JSON at byte 10"},
      {"plain text", "is not valid JSON at byte 1"},
      {"", "is not valid JSON at byte 1"},
      {"[\"x\"]", "JSON of the type array, expected an object"},
      {"{\"a\": 7}", "'a' is of the type number, expected a string"},
      {"{\"a\": null}", "'a' is of the type null"},
      {"{\"b\": \"x\", \"c\": {\"d\": \"y\"}}", "has no key 'a', found: b, c.d"},
      {"{\"a\": \"\xff\"}", "malformed UTF-8 at byte 8"}};
  std::string text = "{\"a\": \"fine\"}\n";
  for (const auto& [row, fault] : rows) text += row + "\n";
  const Shown found = jsonl(text, "a");
  EXPECT_EQ(found.faults.at(0), "");
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(found.texts.at(i + 1), "");
    EXPECT_THAT(found.faults.at(i + 1), HasSubstr(rows[i].second)) << rows[i].first;
  }
}

TEST_F(TextViewTest, RefusesABadRowOfAValidationSet) {
  write_plainly(folder / "v.tsv", "s\tt\na\tb\nc\n");
  const TextFiles files{{folder / "v.tsv"}, {Form::kTsv, "t"}};
  EXPECT_ERROR(read_lines(files), ErrorKind::kData,
               "v.tsv:3: has 1 column, expected column 2; correct the line");
  write_plainly(folder / "v.tsv", "s\tt\na\tb\n");
  EXPECT_EQ(read_lines(files), (Lines{"b"}));
}

TEST_F(TextViewTest, RefusesMarkup) {
  write_plainly(folder / "a.xml", "<?xml version=\"1.0\"?>\n<text>\n<s>one</s>\n");
  EXPECT_ERROR(shown({{folder / "a.xml"}}), ErrorKind::kData,
               "a.xml: XML, expected a sentence a line");
  write_plainly(folder / "a.tmx",
                "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx>\n<tmx version=\"1.4\">\n");
  EXPECT_ERROR(shown({{folder / "a.tmx"}}), ErrorKind::kData, "a.tmx: a translation memory (TMX)");
  EXPECT_ERROR(read_lines({{folder / "a.tmx"}, {Form::kTsv, "en"}}), ErrorKind::kData, "(TMX)");
  EXPECT_ERROR(jsonl("[\n{\"a\": \"b\"}]\n", "a"), ErrorKind::kData,
               "a JSON list, expected one JSON");
  write_plainly(folder / "a.html", "<!DOCTYPE html>\n<p>one\n");
  EXPECT_ERROR(shown({{folder / "a.html"}}), ErrorKind::kData, "a.html: HTML, expected a sentence");
  write_plainly(folder / "plain", "<b>One</b>\n[two]\n");
  EXPECT_THAT(shown({{folder / "plain"}}).texts, testing::SizeIs(2));
}

}  // namespace
}  // namespace heed
