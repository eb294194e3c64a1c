// Formats of documents.
#include "document/document.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"
#include "document_test_tools.h"

namespace heed {
namespace {

TEST(DocumentFormat, IsFoundByTheEndingOfAName) {
  EXPECT_STREQ(find_document_format("folder.md/A.HTML")->name, "html");
  EXPECT_STREQ(find_document_format("a.srt")->name, "subtitles");
  EXPECT_EQ(find_document_format("a.docx"), nullptr);
  EXPECT_EQ(find_document_format("md"), nullptr);
}

TEST(DocumentFormat, NeedsATranslationOfEachText) {
  EXPECT_THROW(with_translations(document_formats().front().read("a\n", "a.txt"), {}), Error);
}

// Bytes of all kinds, none of which may be lost or moved.
TEST(DocumentFormat, KeepsEveryByteOfATextThatStays) {
  const std::vector<std::string> pieces = {"*",         "**",     "_",
                                           "`",         "``",     "[",
                                           "](",        ")",      "]",
                                           "![",        "<b>",    "</b>",
                                           "<",         "&amp;",  "a",
                                           "b c",       "\n",     "\n\n",
                                           "\r\n",      "  ",     "\t",
                                           "- ",        "> ",     "1. ",
                                           "|",         "---",    "#",
                                           "\\",        "~~",     "\"",
                                           "<p>",       "</p>",   "00:01 --> 00:02",
                                           "\u00e4",    "\u65e5", "=",
                                           "<!--",      "-->",    "<pre>",
                                           "http://a.b"};
  uint64_t state = 1;
  const auto draw = [&](size_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state >> 33) % limit;
  };
  for (int i = 0; i < 3000; ++i) {
    std::string content;
    for (size_t n = draw(30); n > 0; --n) content += pieces[draw(pieces.size())];
    for (const DocumentFormat& format : document_formats()) {
      if (format.name == std::string("po")) continue;  // fills in what is missing
      if (format.name == std::string("subtitles")) content = "00:01 --> 00:02\n" + content;
      const Document document = format.read(content, "a");
      ASSERT_EQ(unchanged(document), content) << format.name;
      for (const DocumentText& text : document.texts)
        ASSERT_EQ(text.text.find_first_of("\r\n"), std::string::npos)
            << format.name << ": " << content;
    }
  }
}

TEST(DocumentFormat, IsReadFromFilesInUtf8) {
  const TemporaryFolder folder;
  write_plainly(folder / "a.txt", "caf\xE9 au lait\n");
  EXPECT_ERROR(read_document(folder / "a.txt", document_formats().front()), ErrorKind::kData,
               "found malformed UTF-8, expected UTF-8");
  write_plainly(folder / "a.txt", "\x1f\x8b rest");
  EXPECT_ERROR(read_document(folder / "a.txt", document_formats().front()), ErrorKind::kData,
               "is compressed, expected a document as it is; unpack it first");
}

}  // namespace
}  // namespace heed
