#include "translate/alignment.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "holds.h"
#include "text/characters.h"
#include "text/words.h"

namespace heed {
namespace {

TEST(Alignment, TakesTheSourceWordWithTheGreatestSum) {
  holds({"--alignments"});
  // Source: words 0 0 1 and kEnd; target: words 0 1 1 and kEnd.
  const AttentionMatrix attention = {
      {0.3F, 0.3F, 0.4F, 0.0F}, {0.1F, 0.0F, 0.2F, 0.7F}, {0.3F, 0.1F, 0.2F, 0.4F}, {0, 0, 0, 1}};
  const WordRange first{0, 1}, second{1, 2}, third{2, 3}, none;
  EXPECT_EQ(align_words(attention, {first, first, second}, {first, second, second}),
            (Alignment{{0, 0}, {0, 1}}));
  EXPECT_EQ(align_words(attention, {first, first, second}, {first, second, third}),
            (Alignment{{0, 0}, {1, 1}, {0, 2}}));
  EXPECT_TRUE(align_words({}, {first}, {first}).empty());
  // A piece between the words of a side is a mark, whatever its weight.
  EXPECT_EQ(align_words(attention, {first, none, second}, {first, none, second}),
            (Alignment{{1, 0}, {0, 1}}));
  EXPECT_TRUE(align_words(attention, {none}, {first}).empty());
  // A piece of several words gives its weight to each; a word without pieces gets none.
  const AttentionMatrix none_of_words = {{0, 0, 1}, {0, 1, 0}};
  EXPECT_EQ(align_words(attention, {second, {1, 3}, third}, {first}), (Alignment{{2, 0}}));
  EXPECT_EQ(align_words(none_of_words, {second, third}, {{0, 2}, second}),
            (Alignment{{1, 0}, {2, 1}}));
  EXPECT_EQ(pharaoh({{0, 0}, {2, 1}}), "0-0 2-1");
  EXPECT_EQ(pharaoh({}), "");
}

TEST(ReplaceUnknown, TakesTheWholeWordOrThePiece) {
  holds({"--replace-unknown"});
  const auto source = std::make_shared<const Codec>(std::make_shared<WordTokenizer>("@@", false),
                                                    std::make_shared<const Vocabulary>());
  const auto target = std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("@@", false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"the", "pre@@"}));
  const std::vector<std::string> pieces = {"Haus@@", "boot", "Müller"};
  const PieceText text{*source, *target, "Haus@@ boot Müller", pieces};
  const AttentionMatrix attention = {
      {1, 0, 0, 0}, {0, 0.6F, 0.4F, 0}, {0, 1, 0, 0}, {0, 0, 0.1F, 0.9F}};
  // In "the <unk> pre-<unk>", an unknown whole word is replaced by the source word, an unknown part
  // of a word by the source piece.
  EXPECT_EQ(replace_unknown(text, {4, kUnknown, 5, kUnknown}, attention),
            (std::vector<std::string>{"the", "Hausboot", "pre@@", "Müller"}));
  EXPECT_EQ(target->decode(replace_unknown(text, {4, kUnknown, 5, kUnknown}, attention)),
            "the Hausboot preMüller");
  EXPECT_EQ(replace_unknown(text, {kUnknown}, {}), std::vector<std::string>{"<unk>"});
}

// Attention to the language that a tokenizer puts before a text belongs to no word.
TEST(Alignment, LeavesTheLanguageOut) {
  class Opened final : public Tokenizer {
   public:
    std::vector<std::string> encode(std::string_view line) const override { return {}; }
    std::string decode(const std::vector<std::string>& pieces) const override { return ""; }
    std::string_view opening() const override { return ">>deu<<"; }
  };
  const PieceWords words = {{0, 1}, {0, 1}, {1, 2}};
  EXPECT_EQ(without_opening(words, {">>deu<<", "a", "b"}, Opened()),
            (PieceWords{{}, {0, 1}, {1, 2}}));
  for (const char* first : {">>fra<<", "a"})
    EXPECT_EQ(without_opening(words, {first, "a", "b"}, Opened()), words);
  EXPECT_EQ(without_opening(words, {">>deu<<", "a", "b"}, WordTokenizer("", false)), words);
}

TEST(ReplaceUnknown, NeverTakesTheLanguageCode) {
  const auto codec = std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                                   std::make_shared<const Vocabulary>());
  const std::vector<std::string> pieces = {">>deu<<", "Müller", "comes"};
  const AttentionMatrix attention = {{0.8F, 0.1F, 0.05F, 0.05F}};
  EXPECT_EQ(
      replace_unknown({*codec, *codec, ">>deu<< Müller comes", pieces}, {kUnknown}, attention),
      std::vector<std::string>{"Müller"});
}

TEST(ReplaceUnknown, LeavesACharacterACharacter) {
  holds({"--replace-unknown"});
  const auto codec = std::make_shared<const Codec>(
      std::make_shared<CharacterTokenizer>(false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b"}));
  const std::vector<std::string> pieces = {"x", "é", "y"};
  const AttentionMatrix attention = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  EXPECT_EQ(
      codec->decode(replace_unknown({*codec, *codec, "xéy", pieces}, {4, kUnknown, 5}, attention)),
      "aéb");
}

}  // namespace
}  // namespace heed
