// Message catalogues.
#include "document/message_catalogue.h"

#include <gmock/gmock.h>

#include "../base/temporary_folder.h"
#include "document_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;

Document catalogue(const std::string& content) { return read_message_catalogue(content, "de.po"); }

TEST(MessageCatalogue, IsTranslatedWhereATranslationIsMissing) {
  const Document document = catalogue(
      "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n"
      "#: main.c:1\nmsgid \"Open file\"\nmsgstr \"\"\n\n"
      "msgctxt \"menu\"\nmsgid \"Close \\\"%s\\\"\\n\"\nmsgstr \"\"\n\n"
      "msgid \"done\"\nmsgstr \"fertig\"\n\n"
      "#~ msgid \"old\"\n#~ msgstr \"\"\n");
  EXPECT_THAT(texts_of(document), ElementsAre("Open file", "Close \"%s\""));
  EXPECT_EQ(with_translations(document, {"\xC3\x96"
                                         "ffnen",
                                         "\"%s\" \\ zu"}),
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n"
            "#: main.c:1\nmsgid \"Open file\"\nmsgstr \"\xC3\x96"
            "ffnen\"\n\n"
            "msgctxt \"menu\"\nmsgid \"Close \\\"%s\\\"\\n\"\nmsgstr \"\\\"%s\\\" \\\\ zu\\n\"\n\n"
            "msgid \"done\"\nmsgstr \"fertig\"\n\n"
            "#~ msgid \"old\"\n#~ msgstr \"\"\n");
}

TEST(MessageCatalogue, HasATextForEachLineAndEachForm) {
  const Document document = catalogue(
      "msgid \"\"\n\"One.\\n\"\n\"\\n\"\n\"  Two\"\nmsgstr \"\"\n\n"
      "msgid \"one file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] "
      "\"\"\n");
  EXPECT_THAT(texts_of(document), ElementsAre("One.", "Two", "one file", "%d files", "%d files"));
  EXPECT_EQ(shouted(document),
            "msgid \"\"\n\"One.\\n\"\n\"\\n\"\n\"  Two\"\nmsgstr \"\"\n\"ONE.\\n\"\n\"\\n\"\n\"  "
            "TWO\"\n\n"
            "msgid \"one file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"ONE FILE\"\nmsgstr[1] \"%D "
            "FILES\"\nmsgstr[2] \"%D FILES\"\n");
}

TEST(MessageCatalogue, IsRefusedWithItsLine) {
  const auto expect_refused = [](const std::string& content, const std::string& part) {
    EXPECT_ERROR(catalogue(content), ErrorKind::kData, part);
  };
  expect_refused("msgid \"a\"\nmsgstr \"\nmsgid \"b\"\n", "de.po:2: found msgstr");
  expect_refused("hello\n", "de.po:1: found hello, expected a line");
  expect_refused("\"a\"\n", "de.po:1: found");
  expect_refused("msgid \"a\\q\"\n", "de.po:1: found");
  expect_refused("msgid \"a\" b\"\n", "de.po:1: found");
  expect_refused("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n",
                 "found charset=ISO-8859-1, expected UTF-8; convert it: msgconv -t UTF-8");
}

}  // namespace
}  // namespace heed
