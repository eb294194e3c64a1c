// Markdown.
#include "document/markdown.h"

#include <gmock/gmock.h>
#include <md4c.h>

#include <cstdlib>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "document_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;

Document markdown(const std::string& content) { return read_markdown(content, "a.md"); }

// Blocks and spans of a document, with the targets of links, as the parser gives them.
std::string structure_of(const std::string& content) {
  std::string structure;
  MD_PARSER parser = {};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
  parser.enter_block = [](MD_BLOCKTYPE type, void*, void* to) {
    *static_cast<std::string*>(to) += "(" + std::to_string(type);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE, void*, void* to) {
    *static_cast<std::string*>(to) += ")";
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) {
    *static_cast<std::string*>(to) += "[" + std::to_string(type);
    if (type == MD_SPAN_A) {
      const MD_ATTRIBUTE& target = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
      static_cast<std::string*>(to)->append(target.text, target.size);
    }
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE, void*, void* to) {
    *static_cast<std::string*>(to) += "]";
    return 0;
  };
  parser.text = [](MD_TEXTTYPE, const MD_CHAR*, MD_SIZE, void*) { return 0; };
  EXPECT_EQ(md_parse(content.data(), static_cast<MD_SIZE>(content.size()), &parser, &structure), 0);
  return structure;
}

// The only text of a document.
std::string text(const std::string& content) {
  const Document document = markdown(content);
  EXPECT_EQ(unchanged(document), content);
  return document.texts.size() == 1 ? document.texts.front().text
                                    : "found " + std::to_string(document.texts.size()) + " texts";
}

TEST(Markdown, HasTextsOfBlocks) {
  const std::string content =
      "---\ntitle: stays\n---\n# A heading #\n\nSetext\n======\n\n- an item\n  - nested\n\n1. "
      "first\n\n"
      "> quoted\n\n| a | b |\n|---|---|\n| c | d |\n\n- [ ] task\n\n```\ncode\n```\n\n    more "
      "code\n\n"
      "<div>\nHTML\n</div>\n\n[label]: http://a.b\n";
  const Document document = markdown(content);
  EXPECT_THAT(texts_of(document), ElementsAre("A heading", "Setext", "an item", "nested", "first",
                                              "quoted", "a", "b", "c", "d", "task"));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(shouted(document),
            "---\ntitle: stays\n---\n# A HEADING #\n\nSETEXT\n======\n\n- AN ITEM\n  - "
            "NESTED\n\n1. FIRST\n\n"
            "> QUOTED\n\n| A | B |\n|---|---|\n| C | D |\n\n- [ ] TASK\n\n```\ncode\n```\n\n    "
            "more code\n\n"
            "<div>\nHTML\n</div>\n\n[label]: http://a.b\n");
}

TEST(Markdown, HasTagsForSpans) {
  EXPECT_EQ(text("A **bold** and *this _too_*."),
            "A <m0>bold</m0> and <m1>this <m2>too</m2></m1>.");
  EXPECT_EQ(text("***both***"), "<m0><m1>both</m1></m0>");
  EXPECT_EQ(text("~~gone~~"), "<m0>gone</m0>");
  EXPECT_EQ(text("a [link](http://a.b/(c) \"Ti)tle\") here"), "a <m0>link</m0> here");
  EXPECT_EQ(text("[one][two] and [three]\n\n[two]: x\n[three]: y\n"),
            "<m0>one</m0> and <m1>three</m1>");
  EXPECT_EQ(text("a `code *here*`, ``b ` c``"), "a <m0/>, <m1/>");
  EXPECT_EQ(text("see ![an *image*](x.png) and ![](y.png), <http://a.b>"),
            "see <m0/> and <m1/>, <m2/>");
  EXPECT_EQ(text("<b>HTML</b> &copy; 2 < 3 & 4"), "<b>HTML</b> &copy; 2 &lt; 3 &amp; 4");
  EXPECT_EQ(text("3 \\* 4 \\\\ 5 * 6"), "3 * 4 \\ 5 * 6");
}

TEST(Markdown, PutsSpansAroundTheirTranslation) {
  const Document document = markdown("A **bold** [link](x \"t\") with `code`.\n");
  EXPECT_EQ(with_translations(document, {"<m2/>: ein <m1>Link</m1>, <m0>fett</m0> &amp; &lt;gut"}),
            "`code`: ein [Link](x \"t\"), **fett** & \\<gut\n");
}

TEST(Markdown, EscapesWhatWouldBeMarkup) {
  EXPECT_EQ(with_translations(markdown("a snake_case\n"), {"*b* a_b [c]"}),
            "\\*b\\* a_b \\[c\\]\n");
  for (const std::string begin : {"#", "-", "+", "1.", "12)", "="})
    EXPECT_THAT(texts_of(markdown(with_translations(markdown("word\n"), {begin + " x"}))),
                ElementsAre(begin + " x"))
        << begin;
  EXPECT_EQ(texts_of(markdown(with_translations(markdown("word\n"), {"&gt; x"}))).front(),
            "&gt; x");
}

TEST(Markdown, TakesATranslationWithoutText) {
  EXPECT_EQ(with_translations(markdown("# word\n\ntwo\n"), {"", ""}), "# \n\n\n");
}

// "a**.**" has no span in it.
TEST(Markdown, LeavesOutEmphasisAroundNoWord) {
  const Document document = markdown("a *b* **c** [d](e)\n");
  EXPECT_EQ(with_translations(document, {"x<m0>.</m0> <m1><m2>y</m2></m1> <m2></m2>"}),
            "x. **[y](e)** [](e)\n");
  EXPECT_EQ(with_translations(document, {"x<m1></m1> <m0>y</m0>"}), "x *y*\n");
}

TEST(Markdown, KeepsLabelsOfFootnotesAndQuotes) {
  EXPECT_EQ(text("A dog.[^1]"), "A dog.<m0/>");
  EXPECT_EQ(text("[^long-1]: A note."), "<m0/> A note.");
  EXPECT_EQ(text("> [!NOTE]\n> Careful."), "<m0/> Careful.");
  EXPECT_EQ(text("see [!NOTE] and [^ x]"), "see [!NOTE] and [^ x]");
  EXPECT_EQ(with_translations(markdown("A dog.[^1]\n"), {"Ein Hund<m0/>."}), "Ein Hund[^1].\n");
}

TEST(Markdown, KeepsDefinitionsAndFencesOfBlocks) {
  const std::string content =
      "Term one\n: The *first*\n  definition.\n:   Another.\n\nTerm\n\n: Apart.\n\n::: note "
      "Title\nInside.\n:::\n\na :b: c\n";
  const Document document = markdown(content);
  EXPECT_THAT(texts_of(document), ElementsAre("Term one", "The <m0>first</m0> definition.",
                                              "Another.", "Term", "Apart.", "Inside.", "a :b: c"));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(shouted(document),
            "TERM ONE\n: THE *FIRST*\n  DEFINITION.\n:   ANOTHER.\n\nTERM\n\n: APART.\n\n::: note "
            "Title\nINSIDE.\n:::\n\nA :B: C\n");
  // A colon at the beginning of a line would be a definition.
  EXPECT_EQ(with_translations(markdown("a b c d\ne\n"), {"aaa bbb : c d"}), "aaa\nbbb : c\nd\n");
}

TEST(Markdown, KeepsFrontMatterOfToml) {
  const std::string content = "+++\ntitle = \"stays\"\n+++\n\nText\n";
  EXPECT_THAT(texts_of(markdown(content)), ElementsAre("Text"));
  EXPECT_EQ(unchanged(markdown(content)), content);
}

TEST(Markdown, WrapsLinesAgain) {
  const Document document =
      markdown("> one two three four\n> *five six seven*\n> eight\n\n- alpha beta\n  gamma\n");
  EXPECT_THAT(texts_of(document),
              ElementsAre("one two three four <m0>five six seven</m0> eight", "alpha beta gamma"));
  // No line begins with "5." or "-", which would be a list.
  EXPECT_EQ(with_translations(document,
                              {"eins zwei drei <m0>vier</m0> 5. sechs - sieben", "a b c d e f g"}),
            "> eins zwei drei\n> *vier* 5. sechs -\n> sieben\n\n- a b c d e\n  f g\n");
}

TEST(Markdown, KeepsCarriageReturns) {
  const std::string content = "# A\r\n\r\none\r\ntwo\r\n";
  const Document document = markdown(content);
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(shouted(document), "# A\r\n\r\nONE\r\nTWO\r\n");
}

// The pages of the manual, whose front matter the parser would take for a heading: they have none.
TEST(Markdown, KeepsTheStructureOfPages) {
  int64_t pages = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(std::getenv("HEED_SOURCE")) / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string content = read_plainly(entry.path());
    const Document document = markdown(content);
    EXPECT_EQ(unchanged(document), content) << entry.path();
    EXPECT_EQ(structure_of(shouted(document)), structure_of(content)) << entry.path();
    ++pages;
  }
  EXPECT_GE(pages, 10);
}

TEST(Markdown, EndsATextAtAHardBreak) {
  EXPECT_THAT(texts_of(markdown("one  \ntwo\\\nthree\n")), ElementsAre("one", "two", "three"));
}

}  // namespace
}  // namespace heed
