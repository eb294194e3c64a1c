// Translation memories as JSON lines.
#include "data/tmx_source.h"

#include <gmock/gmock.h>

#include "captured_log.h"
#include "data/column_reader.h"
#include "data/side_text.h"
#include "data_test_tools.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr const char* kUnits = "<tmx version=\"1.4\"><header/><body>{}</body></tmx>\n";

class Tmx : public testing::Test {
 protected:
  fs::path write(const std::string& text) const {
    write_plainly(folder / "a.tmx", text);
    return folder / "a.tmx";
  }
  // Rows of these units.
  std::vector<std::string> rows(const std::string& units) const {
    return rows_of(write(fmt::format(fmt::runtime(kUnits), units)));
  }
  static std::vector<std::string> rows_of(const fs::path& path) {
    LineReader reader = open_lines({path, {TextView::Form::kTmx, ""}});
    std::vector<std::string> lines;
    for (std::string line; reader.next(line);) lines.push_back(line);
    return lines;
  }
  // The segment that has this content.
  std::string segment(const std::string& content) const {
    const auto found =
        rows(fmt::format("<tu><tuv xml:lang=\"en\"><seg>{}</seg></tuv></tu>", content));
    EXPECT_EQ(found.size(), 1U);
    return found.at(0);
  }
  TemporaryFolder folder;
};

TEST_F(Tmx, IsAnObjectForEachUnit) {
  EXPECT_EQ(
      rows("<tu><prop type=\"x\">p</prop><tuv xml:lang=\"en\"><note>n</note><seg>one &amp; "
           "two</seg></tuv><tuv xml:lang=\"de-DE\"><seg>eins</seg></tuv></tu>\n"
           "<tu tuid=\"2\"><tuv lang=\"EN\"><seg/></tuv></tu><tu/>"),
      (std::vector<std::string>{R"({"en":"one & two","de-DE":"eins"})", R"({"EN":""})", "{}"}));
  EXPECT_TRUE(rows("").empty());
}

TEST_F(Tmx, LeavesOutCodesAndKeepsHighlightedText) {
  EXPECT_EQ(segment("a<bpt i=\"1\">&lt;b></bpt>b<ept i=\"1\"/>c<ph>x<sub>y</sub>z</ph>d<it>x</it>"
                    "<ut>x</ut><hi>e<ph/><hi>f</hi></hi>g"),
            R"({"en":"abcdefg"})");
  EXPECT_EQ(segment("<![CDATA[a <b>]]>&#228;&#x1F600;"), "{\"en\":\"a <b>ä😀\"}");
}

// Only a line break is formatting: spaces are text.
TEST_F(Tmx, LineBreaksBecomeOneCharacter) {
  EXPECT_EQ(segment("\n   one\n   two  three \n"), R"({"en":"one\ntwo  three"})");
  EXPECT_EQ(segment(" one "), R"({"en":" one "})");
  EXPECT_EQ(segment("\n"), R"({"en":""})");
}

TEST_F(Tmx, WarnsOfTextsThatAreLeftOut) {
  CapturedLog log;
  EXPECT_EQ(rows("<tu><tuv><seg>x</seg></tuv><tuv xml:lang=\"en\"><seg>one</seg></tuv>"
                 "<tuv xml:lang=\"en\"><seg>two</seg></tuv></tu>"),
            (std::vector<std::string>{R"({"en":"one"})"}));
  EXPECT_THAT(log.end(), HasSubstr("1 texts have no language (xml:lang) and are left out"));
  EXPECT_THAT(log.end(), HasSubstr("1 texts are further ones of a language in their unit"));
}

// "ä" in each encoding.
TEST_F(Tmx, IsReadInItsEncoding) {
  const std::string text = "<tmx><tu><tuv lang='de'><seg>\xE4</seg></tuv></tu></tmx>";
  EXPECT_EQ(rows_of(write("<?xml version='1.0' encoding='ISO-8859-1'?>" + text)),
            std::vector<std::string>{"{\"de\":\"ä\"}"});
  std::string wide = "\xFF\xFE";
  for (const char c : "<?xml version='1.0' encoding='UTF-16'?>" + text) wide += c, wide += '\0';
  EXPECT_EQ(rows_of(write(wide)), std::vector<std::string>{"{\"de\":\"ä\"}"});
  EXPECT_TRUE(is_tmx(folder / "a.tmx"));
  EXPECT_ERROR(rows_of(write(text)), ErrorKind::kData, "a.tmx:1:30: is not well-formed XML");
  EXPECT_ERROR(rows_of(write("<?xml version='1.0' encoding='windows-1252'?>" + text)),
               ErrorKind::kData, "unknown encoding, expected UTF-8");
}

TEST_F(Tmx, IsKnownByItsRoot) {
  EXPECT_TRUE(
      is_tmx(write("<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n"
                   "<!-- a comment -->\n<tmx version=\"1.4\">")));
  for (const char* text : {"", "a <tmx>\n", "<xliff/>", "<tmxx/>", "{\"a\": \"<tmx>\"}\n"})
    EXPECT_FALSE(is_tmx(write(text))) << text;
}

TEST_F(Tmx, DamageHasAPlace) {
  EXPECT_ERROR(rows("<tu>\n<tuv></tu>"), ErrorKind::kData,
               "a.tmx:2:8: is not well-formed XML (mismatched tag)");
  EXPECT_ERROR(rows("\n<tu>&nbsp;</tu>"), ErrorKind::kData, "a.tmx:2:5: is not well-formed XML");
  EXPECT_ERROR(rows_of(write("<xliff/>")), ErrorKind::kData,
               "a.tmx:1:1: found <xliff>, expected <tmx>");
  EXPECT_ERROR(rows_of(write("")), ErrorKind::kData,
               "a.tmx:1:1: is not well-formed XML (no element");
  const std::string whole =
      fmt::format(fmt::runtime(kUnits), "<tu><tuv xml:lang='en'><seg>one</seg></tuv></tu>");
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_ERROR(rows_of(write(whole.substr(0, length))), ErrorKind::kData,
                 "is not well-formed XML");
  EXPECT_ERROR(rows_of(write(whole + "<tmx/>")), ErrorKind::kData, "junk after document element");
}

// Billion laughs, a file of the system, and a DTD that is not there.
TEST_F(Tmx, EntitiesAreNotExpanded) {
  const std::string unit = "<tmx><tu><tuv lang='en'><seg>&c;</seg></tuv></tu></tmx>";
  EXPECT_ERROR(rows_of(write("<!DOCTYPE tmx [<!ENTITY a 'ha'>\n<!ENTITY b '&a;&a;'><!ENTITY c "
                             "'&b;&b;'>]>" +
                             unit)),
               ErrorKind::kData, "a.tmx:1:27: the entity 'a' is declared");
  EXPECT_ERROR(rows_of(write("<!DOCTYPE tmx [<!ENTITY c SYSTEM '/etc/passwd'>]>" + unit)),
               ErrorKind::kData, "the entity 'c' is declared");
  EXPECT_ERROR(rows_of(write("<!DOCTYPE tmx SYSTEM 'none.dtd'>\n" + unit)), ErrorKind::kData,
               "a.tmx:2:30: the entity 'c' is unknown, because DTDs are not read");
  EXPECT_EQ(rows_of(write("<!DOCTYPE tmx SYSTEM 'none.dtd'><tmx><tu/></tmx>")),
            std::vector<std::string>{"{}"});
}

TEST_F(Tmx, HasLimits) {
  std::string deep;
  for (int i = 0; i < 101; ++i) deep += "<hi>";
  EXPECT_ERROR(segment(deep), ErrorKind::kData, "elements are nested more than 100 deep");
  EXPECT_ERROR(segment(std::string(kLongestLine + 1, 'x')), ErrorKind::kData,
               "this unit has more than 16 MiB");
  EXPECT_ERROR(rows_of(write("<tmx a='" + std::string(kLongestLine + (1 << 17), 'x'))),
               ErrorKind::kData, "this unit has more than 16 MiB");
}

std::string shown(const std::string& row, const std::string& language) {
  std::string line = row;
  const LineNotes notes = LineView({TextView::Form::kTmx, language}, "", "a.tmx").show(line);
  return notes.fault.empty() ? (notes.joined ? "joined " : "") + line : notes.fault;
}

TEST(TmxLanguage, IsFoundByItsCode) {
  const std::string row = R"({"en-US":"us","pt":"p","EN_gb":"gb","DE":"d","de-AT":"at","fil":"f"})";
  for (const auto& [language, text] : {std::pair{"en", "us"},
                                       {"EN", "us"},
                                       {"en-GB", "gb"},
                                       {"en_US", "us"},
                                       {"de", "d"},
                                       {"de-at", "at"},
                                       {"pt", "p"}})
    EXPECT_EQ(shown(row, language), text) << language;
  EXPECT_EQ(shown(row, "pt-BR"),
            "has no text in the language 'pt-BR', found: en-US, pt, EN_gb, DE, de-AT, fil");
  EXPECT_EQ(shown(row, "fi"),
            "has no text in the language 'fi', found: en-US, pt, EN_gb, DE, de-AT, fil");
  EXPECT_EQ(shown("{}", "en"), "has no text in the language 'en', found: none");
  EXPECT_EQ(shown(R"({"en":"a\nb"})", "en"), "joined a b");
}

// Compressed, in an archive and as a corpus, whose positions are those of an unpacked copy.
TEST_F(Tmx, IsASideOfACorpus) {
  const std::string text = fmt::format(fmt::runtime(kUnits),
                                       "<tu><tuv xml:lang=\"en\"><seg>one</seg></tuv>"
                                       "<tuv xml:lang=\"de\"><seg>eins</seg></tuv></tu>"
                                       "<tu><tuv xml:lang=\"en\"><seg>two\nlines</seg></tuv></tu>");
  write(text);
  write_gzip(folder / "b.tmx.gz", text);
  DataCache cache;
  for (const char* name : {"a.tmx", "b.tmx.gz"}) {
    const SideText side({{folder / name}, {TextView::Form::kTmx, "en"}}, cache);
    EXPECT_EQ(side.lines(), 2);
    SideText::Reader reader(side);
    std::string line;
    std::vector<uint64_t> offsets(2);
    ASSERT_TRUE(reader.next(line, offsets[0]));
    EXPECT_EQ(line, "one");
    ASSERT_TRUE(reader.next(line, offsets[1]));
    EXPECT_EQ(line, "two lines");
    EXPECT_TRUE(reader.notes().joined);
    EXPECT_EQ(reader.place(), (folder / name).string() + ", unit 2");
    EXPECT_EQ(side.place(1), reader.place());
    EXPECT_EQ(side.line(offsets[1]), "two lines");
    EXPECT_EQ(side.line(offsets[0]), "one");
    ColumnReader column((folder / name).string() + ":de");
    ASSERT_TRUE(column.next(line));
    EXPECT_EQ(line, "eins");
    EXPECT_ERROR(column.next(line), ErrorKind::kData,
                 std::string(name) + ", unit 2: has no text in the language 'de', found: en");
  }
}

}  // namespace
}  // namespace heed
