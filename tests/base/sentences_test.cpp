#include "base/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sentences, EndWhereUnicodeSaysSo) {
  EXPECT_THAT(split_sentences("I am tired. Where is my book? I want to go home.", "en"),
              ElementsAre("I am tired.", "Where is my book?", "I want to go home."));
  EXPECT_THAT(split_sentences("我累了。我的书在哪里？", "zh"),
              ElementsAre("我累了。", "我的书在哪里？"));
  EXPECT_THAT(split_sentences("  One.\t\"Two!\"  Three\u00A0", ""),
              ElementsAre("One.", "\"Two!\"", "Three"));
  EXPECT_THAT(split_sentences("One\n\nTwo\r\nThree\u2028Four", "en"),
              ElementsAre("One", "Two", "Three", "Four"));
  EXPECT_THAT(split_sentences("", "en"), IsEmpty());
  EXPECT_THAT(split_sentences(" \n\u3000", "en"), IsEmpty());
}

// A small letter behind a period is SB8 of UAX 29, the number SB6.
TEST(Sentences, GoOnBehindAPeriodThatEndsNone) {
  EXPECT_THAT(split_sentences("It costs 3.50 etc. and so on.", ""),
              ElementsAre("It costs 3.50 etc. and so on."));
}

TEST(Sentences, GoOnBehindTheAbbreviationsOfTheirLanguage) {
  const std::string text = "Mr. Smith went. Mrs. Smith ran.";
  EXPECT_THAT(split_sentences(text, "en"), ElementsAre("Mr. Smith went.", "Mrs. Smith ran."));
  EXPECT_EQ(split_sentences(text, "").size(), 4u);
  EXPECT_THAT(split_sentences("Das kostet z.B. 5 Euro. Er ging.", "de"),
              ElementsAre("Das kostet z.B. 5 Euro.", "Er ging."));
  EXPECT_EQ(split_sentences(text, "xx").size(), 4u) << "a language that CLDR has no list of";
}

TEST(Sentences, GoOnBehindTheAbbreviationsGiven) {
  const std::string line = "I saw Dr. No (vgl. Bd. 2) on the 12. Mai. It rained.";
  EXPECT_THAT(split_sentences(line, "", {"00.", "Bd.", "Dr.", "vgl."}),
              ElementsAre("I saw Dr. No (vgl. Bd. 2) on the 12. Mai.", "It rained."));
  EXPECT_THAT(split_sentences("Dr.", "", {"Dr."}), ElementsAre("Dr."));
}

TEST(Sentences, EndInAWord) {
  EXPECT_EQ(last_abbreviation("Is it („Dr."), "Dr.");
  EXPECT_EQ(last_abbreviation("on the 13."), "00.");
  EXPECT_EQ(last_abbreviation("Prof.Dr."), "Prof.Dr.");
  EXPECT_EQ(last_abbreviation("x\u3000z.B."), "z.B.");
  EXPECT_EQ(last_abbreviation("Ä."), "Ä.");
  for (const char* none : {"", "No", "No!", "Dr. ", "他。"}) EXPECT_EQ(last_abbreviation(none), "");
  EXPECT_EQ(last_abbreviation("\xFF\xE2."), "\xFF\xE2.") << "malformed";
}

TEST(Sentences, MayBeMalformed) {
  EXPECT_THAT(split_sentences("One \xFF. Two\xC3. \xE2", ""),
              ElementsAre("One \xFF.", "Two\xC3.", "\xE2"));
}

}  // namespace
}  // namespace heed
