// Split lines beside their sentences, translated each by itself, and beside the definition.
#include "translate/joined_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "search/table_engine.h"
#include "text/words.h"
#include "translate/batch_translator.h"

namespace heed {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

// Sentences of two pieces, as the attention of the engine has it.
const std::vector<std::string> kSentences = {"a b", "c a", "b c"};
const std::string kLine = "a b\nc a\n\nb c";

class JoinedSentences : public testing::Test {
 protected:
  JoinedSentences() {
    const auto codec = std::make_shared<const Codec>(
        std::make_shared<WordTokenizer>("", false),
        std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b", "c"}));
    model_.sources = model_.inputs = {"source"};
    model_.codecs = {{"source", codec}, {kTargetSide, codec}};
    model_.engine = std::make_shared<FakeEngine>();
    model_.has_source_weights = true;
    how_.line.split = how_.line.attention = how_.line.alignment = true;
    how_.line.search.beam = how_.line.search.nbest = 3;
    how_.line.search.min_length = 2;
    how_.line.search.max_length_ratio = 0;
    how_.line.search.max_length_extra = 4;
    how_.line.search.allow_unknown = false;
  }
  std::vector<TranslatedLine> translate(const std::vector<std::string>& lines) const {
    std::vector<SourceLine> sources;
    for (const std::string& line : lines) sources.push_back({line});
    return BatchTranslator(model_, how_).translate(sources);
  }
  TextModel model_;
  BatchTranslatorOptions how_;
};

TEST_F(JoinedSentences, AreSumsAndSequencesOfTheirTranslations) {
  const auto own = translate(kSentences);
  const Translated whole = translate({kLine})[0].best.front();
  double score = 0, log_probability = 0;
  std::vector<double> log_probabilities;
  std::vector<std::string> pieces;
  for (const TranslatedLine& sentence : own) {
    const Translated& best = sentence.best.front();
    score += best.score;
    log_probability += best.log_probability;
    if (!pieces.empty()) pieces.emplace_back("</s>");
    pieces.insert(pieces.end(), best.pieces.begin(), best.pieces.end());
    log_probabilities.insert(log_probabilities.end(), best.log_probabilities.begin(),
                             best.log_probabilities.end());
  }
  EXPECT_EQ(whole.text, own[0].text() + "\n" + own[1].text() + "\n\n" + own[2].text());
  EXPECT_NEAR(whole.score, score, 1e-9);
  EXPECT_NEAR(whole.log_probability, log_probability, 1e-9);
  EXPECT_EQ(whole.pieces, pieces);
  EXPECT_THAT(whole.log_probabilities, Pointwise(DoubleNear(1e-9), log_probabilities));
  EXPECT_EQ(whole.log_probabilities.size(), whole.pieces.size() + 1);
  EXPECT_THAT(translate({kLine})[0].source,
              ElementsAre("a", "b", "</s>", "c", "a", "</s>", "b", "c"));
}

TEST_F(JoinedSentences, HaveListsOfTheBestCombinations) {
  const auto own = translate(kSentences);
  std::vector<std::pair<double, std::string>> all;
  for (const Translated& a : own[0].best)
    for (const Translated& b : own[1].best)
      for (const Translated& c : own[2].best)
        all.emplace_back(a.score + b.score + c.score, a.text + "\n" + b.text + "\n\n" + c.text);
  std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& one) { return one.first; });
  const auto found = translate({kLine})[0].best;
  ASSERT_EQ(found.size(), 3u);
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].text, all[k].second);
    EXPECT_NEAR(found[k].score, all[k].first, 1e-9);
  }
}

TEST_F(JoinedSentences, HaveBlocksOfAttention) {
  const auto own = translate(kSentences);
  const Translated whole = translate({kLine})[0].best.front();
  ASSERT_EQ(whole.attention.size(), whole.pieces.size() + 1);
  size_t row = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    for (const std::vector<float>& expected : own[i].best.front().attention) {
      std::vector<float> wide(9, 0);
      std::ranges::copy(expected, wide.begin() + static_cast<std::ptrdiff_t>(3 * i));
      EXPECT_EQ(whole.attention[row++], wide);
    }
  }
}

TEST_F(JoinedSentences, AlignTheWordsOfTheWholeLine) {
  const auto own = translate(kSentences);
  const Translated whole = translate({kLine})[0].best.front();
  Alignment expected;
  int64_t source = 0, target = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    for (const auto& [from, to] : own[i].best.front().alignment)
      expected.emplace_back(source + from, target + to);
    source += 2;
    target += std::ssize(own[i].best.front().pieces);
  }
  EXPECT_EQ(whole.alignment, expected);
  EXPECT_EQ(whole.alignment.back().second, target - 1) << "each word has a link";
}

TEST_F(JoinedSentences, DoNotDependOnTheBatch) {
  const auto expected = translate({kLine, "b b", kLine});
  how_.batch = 1;
  how_.workers = 2;
  const auto found = translate({kLine, "b b", kLine});
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].text(), expected[i].text());
}

// Equal sentences of a line draw different samples, and the first draws those of a line by itself.
TEST_F(JoinedSentences, DrawSamplesOfTheirOwn) {
  how_.line.search.sampling = SamplingOptions();
  how_.line.search.nbest = 8;
  const auto one = translate({"a b"})[0].best, two = translate({"a b\na b"})[0].best;
  ASSERT_EQ(two.size(), 8u);
  bool differ = false;
  for (size_t k = 0; k < two.size(); ++k) {
    const std::string first = two[k].text.substr(0, two[k].text.find('\n'));
    EXPECT_EQ(first, one[k].text);
    differ |= two[k].text != first + "\n" + first;
  }
  EXPECT_TRUE(differ);
}

TEST_F(JoinedSentences, BeginWithTheirParts) {
  const SplitLine split = split_line(model_, how_.line, {kLine}, "", false);
  EXPECT_EQ(joined_text(split, {"", "", ""}), "");
  EXPECT_EQ(joined_text(split, {"x", "", ""}), "x");
  EXPECT_EQ(joined_text(split, {"", "y", "z"}), "y\n\nz");
}

TEST_F(JoinedSentences, AvoidPhrasesInEachAndBeginWithTheirPrefix) {
  const LexicalConstraints how{.prefix = "c", .phrases = {}, .avoided = {"a"}};
  const auto found = BatchTranslator(model_, how_).translate({{kLine}}, 1, {how}).at(0);
  for (const Translated& one : found.best) {
    EXPECT_EQ(one.text.find('a'), std::string::npos) << one.text;
    EXPECT_EQ(one.text.front(), 'c');
  }
}

TEST_F(JoinedSentences, NameTheSentencesOfWarnings) {
  how_.line.search.max_length_extra = 2;
  LineWarnings warnings;
  how_.warnings = &warnings;
  const auto found = translate({"a b", kLine});
  for (const LineWarning& warning : found[1].warnings)
    EXPECT_THAT(warning.detail, testing::StartsWith("sentence "));
  ASSERT_FALSE(found[1].warnings.empty());
  EXPECT_EQ(found[1].warnings[0].kind, WarningKind::kCut);
  EXPECT_THAT(warnings.take(), testing::Contains(testing::HasSubstr("line 2 (sentence ")));
}

TEST_F(JoinedSentences, AreEmptyWhereASentenceHasNoPieces) {
  SplitLine split = split_line(model_, how_.line, {"a b\nc a"}, "", false);
  auto own = translate({"a b", ""});
  const TranslatedLine whole = joined(model_, how_.line, split, own);
  EXPECT_EQ(whole.text(), own[0].text());
  EXPECT_EQ(whole.best.front().pieces, own[0].best.front().pieces);
  EXPECT_EQ(whole.best.front().attention, own[0].best.front().attention);
  EXPECT_EQ(whole.best.front().alignment, own[0].best.front().alignment);
}

// The text of a line of two sentences with this white space.
std::string text_of(const std::string& left, const std::string& space, const std::string& right,
                    const std::vector<std::string>& translations) {
  SplitLine split;
  split.sentences = {{.line = {left}, .text = left},
                     {.line = {right}, .text = right, .space = space}};
  return joined_text(split, translations);
}

TEST(JoinedText, KeepsTheWhiteSpaceOfTheLine) {
  const std::vector<std::string> german = {"Eins.", "Zwei."};
  EXPECT_EQ(text_of("One.", "  ", "Two.", german), "Eins.  Zwei.");
  EXPECT_EQ(text_of("One!", "", "Two.", german), "Eins.Zwei.");
  EXPECT_EQ(text_of("One.", "\n\n", "Two.", german), "Eins.\n\nZwei.");
  EXPECT_EQ(text_of("One.", "\u2028", "Two.", german), "Eins. Zwei.") << "a line stays one";
}

TEST(JoinedText, HasTheSpacesOfTheTargetLanguage) {
  EXPECT_EQ(text_of("我累了。", "", "我要回家。", {"I am tired.", "I go home."}),
            "I am tired. I go home.");
  EXPECT_EQ(text_of("I am tired.", " ", "I go home.", {"我累了。", "我要回家。"}),
            "我累了。我要回家。");
  EXPECT_EQ(text_of("我累了。", "", "我要回家。", {"私は疲れた。", "家に帰りたい。"}),
            "私は疲れた。家に帰りたい。");
}

TranslatedLine translation(const std::vector<std::string>& source, const std::string& text,
                           const Alignment& alignment) {
  TranslatedLine one;
  one.source = source;
  Translated& best = one.best.emplace_back();
  best.text = text;
  best.pieces = split_words(text);
  best.alignment = alignment;
  return one;
}

// A word goes on where no white space ends it: docs/tasks.md, "Words".
TEST(JoinedText, CountsTheWordsOfTheLine) {
  TextModel model;
  const auto codec = std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                                   std::make_shared<const Vocabulary>());
  model.sources = model.inputs = {"source"};
  model.codecs = {{"source", codec}, {kTargetSide, codec}};
  LineOptions how;
  how.alignment = how.split = true;
  SplitLine split;
  split.sentences = {{.line = {"Oh well!"}, .text = "Oh well!"},
                     {.line = {">>x<< Go on!"}, .text = "Go on!", .space = "", .own_words = 1}};
  const TranslatedLine first = translation({"Oh", "well!"}, "Na gut!", {{0, 0}, {1, 1}}),
                       second = translation({">>x<<", "Go", "on!"}, "Weiter so!", {{1, 0}, {2, 1}});
  const TranslatedLine whole = joined(model, how, split, {first, second});
  EXPECT_EQ(whole.text(), "Na gut!Weiter so!");
  EXPECT_EQ(whole.best.front().alignment, (Alignment{{0, 0}, {1, 1}, {1, 1}, {2, 2}}));
}

}  // namespace
}  // namespace heed
