// Plain text.
#include "document/paragraphs.h"

#include <gmock/gmock.h>

#include "document_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;

Document paragraphs(const std::string& content) { return read_paragraphs(content, "a.txt"); }

TEST(Paragraphs, HasATextForEachParagraph) {
  const std::string content =
      "A heading\n"
      "\n"
      "This is a paragraph that was wrapped by hand at about\n"
      "fifty columns, and it goes on in the next line, until\n"
      "it ends.\n"
      "  An indented line.\n"
      "Anna Schmidt\n"
      "Main Street 5";
  const Document document = paragraphs(content);
  EXPECT_THAT(
      texts_of(document),
      ElementsAre("A heading",
                  "This is a paragraph that was wrapped by hand at about fifty columns, and "
                  "it goes on in the next line, until it ends.",
                  "An indented line.", "Anna Schmidt", "Main Street 5"));
  EXPECT_EQ(unchanged(document), content);
}

TEST(Paragraphs, WrapsATranslationAtTheWidthOfItsSource) {
  const Document document = paragraphs(
      "> \n"
      "  one two three four five six seven eight nine\n"
      "  ten eleven\n");
  ASSERT_EQ(document.texts.size(), 2u);
  EXPECT_EQ(
      with_translations(document, {">", "aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb c dddd e"}),
      "> \n  aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb c\n  dddd e\n");
}

TEST(Paragraphs, LeavesLinesApartInAFileThatIsNotWrapped) {
  const std::string line(150, 'x');
  EXPECT_THAT(texts_of(paragraphs(line + "\n" + line + "\nshort\nshort\n")),
              ElementsAre(line, line, "short", "short"));
}

TEST(Paragraphs, KeepsCarriageReturnsAndSpacesAtTheEnd) {
  const std::string content = "one\r\n\r\n\t\r\ntwo  \r\n";
  const Document document = paragraphs(content);
  EXPECT_THAT(texts_of(document), ElementsAre("one", "two"));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(shouted(document), "ONE\r\n\r\n\t\r\nTWO  \r\n");
}

TEST(Paragraphs, JoinsScriptsWithoutSpacesWithoutASpace) {
  std::string line;
  for (int i = 0; i < 25; ++i) line += "\u65e5";  // 50 columns
  EXPECT_THAT(texts_of(paragraphs(line + "\n" + "\u672c\u8a9e\n")),
              ElementsAre(line + "\u672c\u8a9e"));
}

TEST(Paragraphs, OfNothingAreNone) {
  EXPECT_EQ(unchanged(paragraphs("")), "");
  EXPECT_EQ(unchanged(paragraphs("\n \n")), "\n \n");
}

}  // namespace
}  // namespace heed
