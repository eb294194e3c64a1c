#include "translate/marked_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "text/words.h"
#include "translate/joined_sentences.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class MarkedSentences : public testing::Test {
 protected:
  MarkedSentences() {
    const auto codec = std::make_shared<const Codec>(
        std::make_shared<WordTokenizer>("", false),
        std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b"}));
    model_.sources = model_.inputs = {"source"};
    model_.codecs = {{"source", codec}, {kTargetSide, codec}};
    model_.has_source_weights = true;
    how_.markup.format = MarkupFormat::kHtml;
  }

  SplitLine split(const std::string& line) const {
    return split_line(model_, how_, {line}, "", false);
  }

  // A translation whose words are those of the sentence in turned order, in capitals.
  TranslatedLine turned(const SplitLine::Sentence& sentence) const {
    TranslatedLine line;
    line.source = split_words(sentence.line.front());
    Translated& best = line.best.emplace_back();
    const size_t count = line.source.size();
    for (size_t t = 0; t < count; ++t) {
      std::string word = line.source[count - 1 - t];
      std::ranges::transform(word, word.begin(), [](char c) { return std::toupper(c); });
      best.text += (t > 0 ? " " : "") + word;
      best.pieces.push_back(word);
      std::vector<float>& weights = best.attention.emplace_back(count + 1, 0.0F);
      weights[count - 1 - t] = 1;
    }
    best.attention.emplace_back(count + 1, 0.0F).back() = 1;
    return line;
  }
  TranslatedLine translate(const std::string& line) const {
    const SplitLine parts = split(line);
    std::vector<TranslatedLine> translations;
    for (const auto& sentence : parts.sentences) translations.push_back(turned(sentence));
    return joined(model_, how_, parts, std::move(translations));
  }

  TextModel model_;
  LineOptions how_;
};

TEST_F(MarkedSentences, HaveTheTagsOfTheirWords) {
  const TranslatedLine line = translate("a b <i>c</i> d");
  EXPECT_EQ(line.text(), "D <i>C</i> B A");
  EXPECT_THAT(line.best.front().attention, IsEmpty()) << "it was not asked for";
  how_.attention = true;
  EXPECT_THAT(translate("a <i>c</i>").best.front().attention, SizeIs(3));
}

TEST_F(MarkedSentences, AreThoseOfBlocks) {
  const TranslatedLine line = translate(" <p>a <b>b</b></p><br> <p>c &amp; <i>d</i></p>");
  EXPECT_EQ(line.text(), " <p><b>B</b> A</p><br> <p><i>D</i> &amp; C</p>");
  EXPECT_THAT(split("<p>a</p><p>b c</p>").sentences, SizeIs(2));
  EXPECT_EQ(translate("<p></p>").text(), "<p></p>");
  EXPECT_EQ(translate("").text(), "");
}

TEST_F(MarkedSentences, AreSplitInsideTheirBlocks) {
  how_.split = true;
  how_.markup.format = MarkupFormat::kXml;
  model_.source_language = "en";
  EXPECT_EQ(translate("<x>One <b>is.</b> Two</x> <y/>is. Three.").text(),
            "<x><b>IS.</b> ONE</x> IS. TWO <y/>THREE.");
}

TEST_F(MarkedSentences, CombineTheSentencesOfAList) {
  const SplitLine parts = split("a <b>b</b><br>c");
  std::vector<TranslatedLine> translations{turned(parts.sentences[0]), turned(parts.sentences[1])};
  translations[0].best.push_back(translations[0].best.front());
  translations[0].best.back().text = "b a";
  translations[0].best.back().pieces = {"b", "a"};
  translations[0].best.back().score = -1;
  how_.search.nbest = 2;
  const TranslatedLine line = joined(model_, how_, parts, std::move(translations));
  ASSERT_EQ(line.best.size(), 2u);
  EXPECT_EQ(line.best[0].text, "<b>B</b> A<br>C");
  EXPECT_EQ(line.best[1].text, "<b>b</b> a<br>C");
}

// Weights of all pairs of these units would take gigabytes.
TEST_F(MarkedSentences, OfHugeBlocksArePlacedInProportion) {
  std::string source = "<b>a</b>";
  for (int i = 0; i < 200'000; ++i) source += " a";
  const SplitLine parts = split(source + " <i>b</i>");
  ASSERT_THAT(parts.sentences, SizeIs(1));
  Translated target;
  for (int i = 0; i < 30; ++i) {
    target.text += i > 0 ? " A" : "A";
    target.pieces.emplace_back("A");
    target.attention.push_back({1, 0});
  }
  const std::vector<std::string> pieces = {"a", "a"};  // the source was cut
  WarningList warnings;
  const std::string text = marked_text(model_, parts, {{pieces, target}}, &warnings);
  EXPECT_EQ(text.find("<b>"), 0u) << text;
  EXPECT_TRUE(text.ends_with("</i>")) << text;
  ASSERT_THAT(warnings, SizeIs(testing::Ge(1u)));
  EXPECT_THAT(warnings.front().message, HasSubstr("too long for its tags to follow their words"));
}

TEST_F(MarkedSentences, WarnOfMarkup) {
  how_.markup.format = MarkupFormat::kXml;
  EXPECT_THAT(translate("a <b>b</b>").warnings, IsEmpty());
  const WarningList faults = translate("<b>é</c>").warnings;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, WarningKind::kMarkup);
  EXPECT_EQ(faults[0].detail, "column 5: </c>, expected </b>");
  how_.markup.format = MarkupFormat::kHtml;
  EXPECT_EQ(translate("<b>b</c>").warnings.at(0).detail, "</c> <b>");
  const WarningList malformed = translate("a <b>\xFF</b>").warnings;
  ASSERT_EQ(malformed.size(), 1u);
  EXPECT_EQ(malformed[0].kind, WarningKind::kMalformed);
}

TEST_F(MarkedSentences, WarnOfTextToKeep) {
  how_.markup = {.format = MarkupFormat::kNone, .protects = *parse_protected_kinds("numbers")};
  const SplitLine parts = split("a 12 b");
  TranslatedLine own = turned(parts.sentences[0]);
  own.best[0].text = own.best[0].pieces[0] = "B";
  own.best[0].pieces = {"B"};
  own.best[0].attention = {{0, 0, 1, 0}, {0, 0, 0, 1}};
  const TranslatedLine line = joined(model_, how_, parts, {own});
  EXPECT_EQ(line.text(), "12 B");
  ASSERT_EQ(line.warnings.size(), 1u);
  EXPECT_EQ(line.warnings[0].kind, WarningKind::kProtected);
  EXPECT_EQ(line.warnings[0].detail, "12");
}

TEST_F(MarkedSentences, RefusePhrasesOfSeveralBlocks) {
  EXPECT_EQ(split_line(model_, how_, {"<p>a</p>"}, "", true).sentences.size(), 1u);
  EXPECT_THAT([&] { split_line(model_, how_, {"<p>a</p><p>b</p>"}, "", true); },
              testing::ThrowsMessage<Error>(HasSubstr("has 2 blocks of text")));
}

TEST_F(MarkedSentences, AreTextWhereTheModelHasSeveralInputs) {
  model_.inputs.emplace_back("other");
  EXPECT_EQ(split_line(model_, how_, {"a <b>b</b>", "c"}, "", false).markup, nullptr);
}

}  // namespace
}  // namespace heed
