#include "translate/split_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/sentencepiece.h"
#include "text/words.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::shared_ptr<const Codec> words(const std::vector<std::string>& pieces) {
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(pieces));
}

class SplitLines : public testing::Test {
 protected:
  SplitLines() {
    model_.sources = model_.inputs = {"source"};
    model_.codecs = {{"source", words({">>de<<", "a"})}, {kTargetSide, words({"a"})}};
    model_.source_language = "en";
    how_.split = true;
  }
  SplitLine split(const std::string& line, const LexicalConstraints& constraints = {}) const {
    return split_line(model_, how_, {line}, constraints.prefix, !constraints.phrases.empty());
  }
  std::vector<std::string> texts(const std::string& line) const {
    std::vector<std::string> texts;
    for (const auto& sentence : split(line).sentences) texts.push_back(sentence.line.front());
    return texts;
  }
  std::vector<std::string> prefixes(const std::string& line, const std::string& prefix) const {
    std::vector<std::string> prefixes;
    for (const auto& sentence :
         split(line, {.prefix = prefix, .phrases = {}, .avoided = {}}).sentences)
      prefixes.push_back(sentence.prefix);
    return prefixes;
  }
  TextModel model_;
  LineOptions how_;
};

TEST_F(SplitLines, HaveTheirSentencesAndTheSpaceBetween) {
  const SplitLine line = split(" Mr. A ran.  He fell!\tWhy? ");
  ASSERT_EQ(line.sentences.size(), 3u);
  EXPECT_THAT(texts(" Mr. A ran.  He fell!\tWhy? "), ElementsAre("Mr. A ran.", "He fell!", "Why?"));
  EXPECT_EQ(line.sentences[0].space, "");
  EXPECT_EQ(line.sentences[1].space, "  ");
  EXPECT_EQ(line.sentences[2].space, "\t");
  model_.source_language = "";
  EXPECT_EQ(texts("Mr. A ran.").size(), 2u) << "no abbreviations without a language";
}

TEST_F(SplitLines, WarnOfSentencesThatTheModelMayLeaveOut) {
  how_.split = false;
  const std::string line = "I ran. He fell. Why?";
  EXPECT_TRUE(split(line).warnings.empty()) << "nothing is known of the training";
  model_.source_lines.emplace().several_sentences = 0.041;
  EXPECT_TRUE(split(line).warnings.empty());
  model_.source_lines->several_sentences = 0.04;
  ASSERT_EQ(split(line).warnings.size(), 1u);
  EXPECT_EQ(split(line).warnings.front().kind, WarningKind::kNotSplit);
  EXPECT_EQ(split(line).warnings.front().detail, "3 sentences");
  EXPECT_THAT(texts(line), ElementsAre(line));
  EXPECT_TRUE(split("I ran.").warnings.empty());
}

TEST_F(SplitLines, KnowTheAbbreviationsOfTheTraining) {
  EXPECT_EQ(texts("I saw Dr. No. He fell.").size(), 3u);
  model_.source_lines.emplace().abbreviations = {"Dr."};
  EXPECT_THAT(texts("I saw Dr. No. He fell."), ElementsAre("I saw Dr. No.", "He fell."));
}

TEST_F(SplitLines, WarnOfATabBetweenSentences) {
  ASSERT_EQ(split("I ran.\tIch lief.").warnings.size(), 1u);
  EXPECT_EQ(split("I ran.\tIch lief.").warnings.front().kind, WarningKind::kTab);
  EXPECT_TRUE(split("I ran.  Ich lief.").warnings.empty());
}

TEST_F(SplitLines, AreAsTheyAreWithOneSentence) {
  EXPECT_THAT(texts(" One sentence. "), ElementsAre(" One sentence. "));
  EXPECT_THAT(texts(""), ElementsAre(""));
  EXPECT_THAT(texts(" "), ElementsAre(" "));
  how_.split = false;
  EXPECT_THAT(texts("One. Two."), ElementsAre("One. Two."));
}

TEST_F(SplitLines, EndAtLineBreaks) {
  EXPECT_THAT(texts("one\n\ntwo\r\nThree. Four"), ElementsAre("one", "two", "Three.", "Four"));
  EXPECT_EQ(split("one\n\ntwo").sentences[1].space, "\n\n");
  EXPECT_THAT(texts("one\n"), ElementsAre("one"));
}

TEST_F(SplitLines, AreLeftWholeWhereTheModelHasSeenSeveralSentences) {
  model_.source_lines.emplace().several_sentences = 0.1;
  EXPECT_FALSE(reads_sentences(model_));
  EXPECT_THAT(texts("One. Two."), ElementsAre("One. Two."));
  EXPECT_THAT(texts("One. Two.\nThree."), ElementsAre("One. Two.", "Three."));
  model_.source_lines->several_sentences = 0.099;
  EXPECT_THAT(texts("One. Two."), ElementsAre("One.", "Two."));
}

TEST_F(SplitLines, AreThoseOfOneSource) {
  EXPECT_TRUE(can_split(model_));
  model_.inputs = {"source", "edges"};
  EXPECT_FALSE(can_split(model_));
  model_.inputs = {"source", "tag"};
  model_.tags = {"x"};
  EXPECT_TRUE(can_split(model_));
  const SplitLine line = split_line(model_, how_, {"One. Two.", "x"}, "", false);
  ASSERT_EQ(line.sentences.size(), 2u);
  EXPECT_EQ(line.sentences[1].line, (SourceLine{"Two.", "x"}));
  model_.sources = {"source", "other"};
  model_.inputs = {"source", "other", "tag"};
  EXPECT_FALSE(can_split(model_));
}

TEST_F(SplitLines, DivideThePrefixAmongTheSentences) {
  EXPECT_THAT(prefixes("One. Two. Three.", "Eins"), ElementsAre("Eins", "", ""));
  EXPECT_THAT(prefixes("One. Two. Three.", "Eins. Zwei"), ElementsAre("Eins.", "Zwei", ""));
  EXPECT_THAT(prefixes("One. Two.", "Eins. Zwei!  Drei"), ElementsAre("Eins.", "Zwei!  Drei"));
  EXPECT_THAT(prefixes("One. Two.", ""), ElementsAre("", ""));
  EXPECT_THAT(prefixes("One.", "Eins. Zwei"), ElementsAre("Eins. Zwei"));
}

TEST_F(SplitLines, AreLeftWholeForRequiredPhrases) {
  EXPECT_EQ(split("One. Two.", {.prefix = "", .phrases = {}, .avoided = {"x"}}).sentences.size(),
            2u);
  const SplitLine whole = split("One.\nTwo.", {.prefix = "", .phrases = {"x"}, .avoided = {}});
  ASSERT_EQ(whole.sentences.size(), 1u);
  EXPECT_EQ(whole.sentences[0].line.front(), "One. Two.");
  ASSERT_EQ(whole.warnings.size(), 1u);
  EXPECT_EQ(whole.warnings[0].kind, WarningKind::kNotSplit);
  EXPECT_EQ(whole.warnings[0].detail, "2 sentences");
  EXPECT_THAT(split("One.", {.prefix = "", .phrases = {"x"}, .avoided = {}}).warnings, IsEmpty());
}

TEST_F(SplitLines, RepeatTheLanguageOfTheLine) {
  const SplitLine line = split(">>de<< One. Two.");
  ASSERT_EQ(line.sentences.size(), 2u);
  EXPECT_EQ(line.sentences[0].line.front(), ">>de<< One.");
  EXPECT_EQ(line.sentences[1].line.front(), ">>de<< Two.");
  EXPECT_EQ(line.sentences[1].text, "Two.");
  EXPECT_EQ(line.sentences[1].own_words, 1);
  EXPECT_EQ(texts(">>fr<< One. Two.")[1], "Two.") << "no token of the vocabulary";
}

}  // namespace
}  // namespace heed
