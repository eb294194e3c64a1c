// Subtitles.
#include "document/subtitles.h"

#include <gmock/gmock.h>

#include "../base/temporary_folder.h"
#include "document_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;

Document subtitles(const std::string& content) { return read_subtitles(content, "a.srt"); }

constexpr const char* kSubRip =
    "1\n"
    "00:00:01,000 --> 00:00:02,000\n"
    "Hello there, my\n"
    "good friend.\n"
    "\n"
    "2\n"
    "00:00:02,500 --> 00:00:04,000\n"
    "{\\an8}I went to the market because\n"
    "\n"
    "3\n"
    "00:00:04,100 --> 00:00:06,000\n"
    "there was nothing\n"
    "left to eat.\n"
    "\n"
    "4\n"
    "00:00:07,000 --> 00:00:09,000\n"
    "- Who is it?\n"
    "- It's <i>me</i>.\n";

TEST(Subtitles, AreTextsOfSentences) {
  const Document document = subtitles(kSubRip);
  EXPECT_THAT(texts_of(document),
              ElementsAre("Hello there, my good friend.",
                          "I went to the market because there was nothing left to eat.",
                          "Who is it?", "It's <i>me</i>."));
  EXPECT_EQ(unchanged(document), kSubRip);
}

TEST(Subtitles, KeepNumbersTimesAndTheNumberOfLines) {
  const Document document = subtitles(kSubRip);
  EXPECT_EQ(with_translations(document, {"Hallo, mein guter Freund.",
                                         "Ich ging zum Markt, weil nichts mehr zu essen da war.",
                                         "Wer ist da?", "<i>Ich</i>."}),
            "1\n"
            "00:00:01,000 --> 00:00:02,000\n"
            "Hallo, mein\n"
            "guter Freund.\n"
            "\n"
            "2\n"
            "00:00:02,500 --> 00:00:04,000\n"
            "{\\an8}Ich ging zum Markt, weil\n"
            "\n"
            "3\n"
            "00:00:04,100 --> 00:00:06,000\n"
            "nichts mehr zu\n"
            "essen da war.\n"
            "\n"
            "4\n"
            "00:00:07,000 --> 00:00:09,000\n"
            "- Wer ist da?\n"
            "- <i>Ich</i>.\n");
}

TEST(Subtitles, OfWebVttKeepHeaderNotesAndNames) {
  const std::string content =
      "WEBVTT Title\r\n\r\nNOTE a note\r\nof two lines\r\n\r\nintro\r\n00:01.000 --> 00:02.000 "
      "line:0\r\nHello.\r\n";
  const Document document = subtitles(content);
  EXPECT_THAT(texts_of(document), ElementsAre("Hello."));
  EXPECT_EQ(shouted(document), content.substr(0, content.size() - 8) + "HELLO.\r\n");
}

TEST(Subtitles, MayLackABlankLineBetweenThem) {
  const std::string content =
      "1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:03,000 --> 00:00:04,000\n\n3\n"
      "00:00:05,000 --> 00:00:06,000\n42\n";
  const Document document = subtitles(content);
  EXPECT_THAT(texts_of(document), ElementsAre("One.", "42"));
  EXPECT_EQ(unchanged(document), content);
}

TEST(Subtitles, AreJoinedEightAtMost) {
  std::string content;
  for (int i = 0; i < 20; ++i)
    content += std::to_string(i) + "\n00:00:01,000 --> 00:00:02,000\nand then\n\n";
  EXPECT_EQ(subtitles(content).texts.size(), 3U);
}

// The cue text of https://www.w3.org/TR/webvtt1/.
TEST(Subtitles, OfWebVttKeepTheirTags) {
  const std::string content =
      "WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Mary Ann>Hello, <c.red.bg_blue>world</c> &amp; "
      "<lang en-GB>you</lang>!\n\n00:02.000 --> 00:03.000\n<v Bob>One\n<v Eve>Two <i>three\n\n"
      "00:03.000 --> 00:05.000\nIt <00:00:04.000>is <00:00:04.500>late\n\n"
      "00:05.000 --> 00:06.000\n<v Bob>Yes,\nhe said.</v>\n\n"
      "00:06.000 --> 00:07.000\n2 < 3 and 5 > 4\n";
  const Document document = subtitles(content);
  EXPECT_THAT(texts_of(document),
              ElementsAre("Hello, <s0>world</s0> &amp; <s1>you</s1>!", "One", "Two <s0/>three",
                          "It <t0/>is <t1/>late", "<s0>Yes, he said.</s0>", "2 < 3 and 5 > 4"));
  EXPECT_EQ(unchanged(document), content);
  const std::string translated = with_translations(
      document, {"<s1>Du</s1> und die <s0>Welt</s0>, hallo!", "Eins", "Zwei <s0/>drei",
                 "Sp\u00e4t <t1/>ist <t0/>es", "<s0>Ja, sagte er.</s0>", "2 &lt; 3"});
  EXPECT_EQ(translated,
            "WEBVTT\n\n00:01.000 --> 00:02.000\n<v.loud Mary Ann><lang en-GB>Du</lang> und die "
            "<c.red.bg_blue>Welt</c>, hallo!\n\n00:02.000 --> 00:03.000\n<v Bob>Eins\n<v Eve>Zwei "
            "<i>drei\n\n"
            "00:03.000 --> 00:05.000\nSp\u00e4t <00:00:04.000>ist <00:00:04.500>es\n\n"
            "00:05.000 --> 00:06.000\n<v Bob>Ja, sagte\ner.</v>\n\n"
            "00:06.000 --> 00:07.000\n2 &lt; 3\n");
}

TEST(Subtitles, HaveBalancedTags) {
  const std::string content =
      "1\n00:01 --> 00:02\n<i>One two</i>\n\n2\n00:02 --> 00:03\nthree <font color=\"a "
      "b\">four</font>.\n";
  const Document document = subtitles(content);
  EXPECT_THAT(texts_of(document), ElementsAre("<i>One two</i> three <s0>four</s0>."));
  EXPECT_EQ(unchanged(document), content);
  EXPECT_EQ(with_translations(document, {"<i>eins zwei drei <s0>vier f\u00fcnf</s0></i>"}),
            "1\n00:01 --> 00:02\n<i>eins zwei</i>\n\n2\n00:02 --> 00:03\n"
            "<i>drei <font color=\"a b\">vier f\u00fcnf</font></i>\n");
  EXPECT_EQ(with_translations(document, {"<i>eins zwei</i> <s0>drei vier</s0>"}),
            "1\n00:01 --> 00:02\n<i>eins zwei</i>\n\n2\n00:02 --> 00:03\n"
            "<font color=\"a b\">drei vier</font>\n");
}

TEST(Subtitles, HaveTimes) {
  EXPECT_ERROR(subtitles("<p>One.</p>\n"), ErrorKind::kData,
               "a.srt: found no times, expected subtitles with lines such as 00:00:01,000 --> ");
  EXPECT_EQ(unchanged(subtitles("\n")), "\n");
}

// A subtitle of its own in capital letters, behind a name, or after a full stop does not go on.
TEST(Subtitles, AreJoinedOnlyInTheMiddleOfASentence) {
  EXPECT_THAT(texts_of(subtitles("1\n00:01 --> 00:02\nOne,\n\n2\n00:02 --> 00:03\nTwo\n\n"
                                 "3\n00:03 --> 00:04\nthree.\n\n4\n00:04 --> 00:05\nfour\n")),
              ElementsAre("One,", "Two three.", "four"));
}

}  // namespace
}  // namespace heed
