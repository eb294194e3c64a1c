#include "text/features.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "config/reader.h"
#include "holds.h"
#include "text/characters.h"
#include "text/marker.h"
#include "text/text_config.h"
#include "text/words.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;
using testing::HasSubstr;

std::string label(const std::string& text) { return std::string(kFeatureSign) + text; }

std::shared_ptr<const Tokenizer> featured(std::shared_ptr<const Tokenizer> inner,
                                          const std::string& separators = ";") {
  return with_features(std::move(inner), separators);
}

TEST(Features, AreOnePieceEach) {
  holds({"text.NAME.features"});
  const auto characters = featured(std::make_shared<CharacterTokenizer>(false));
  EXPECT_EQ(characters->encode("ab\tV;PST"), (Pieces{"a", "b", label("V"), label("PST")}));
  EXPECT_EQ(characters->encode("ab\tV;ACC(2,SG)"),
            (Pieces{"a", "b", label("V"), label("ACC(2,SG)")}));
  const auto fine = featured(std::make_shared<CharacterTokenizer>(false), ";,()");
  EXPECT_EQ(fine->encode("ab\tV;ACC(2,SG)"),
            (Pieces{"a", "b", label("V"), label("ACC"), label("2"), label("SG")}));
  const auto words = featured(std::make_shared<WordTokenizer>("", true));
  EXPECT_EQ(words->encode("A b\tV;;PST \tX"),
            (Pieces{"a", "b", label("V"), label("PST"), label("X")}));
}

TEST(Features, MayBeMissing) {
  const auto words = featured(std::make_shared<WordTokenizer>("", false));
  EXPECT_EQ(words->encode("a b"), (Pieces{"a", "b"}));
  EXPECT_EQ(words->encode("a b\t"), (Pieces{"a", "b"}));
  EXPECT_EQ(words->encode("\tV"), (Pieces{label("V")}));
  EXPECT_TRUE(words->encode("").empty());
  EXPECT_TRUE(words->encode("\t ; ").empty());
}

TEST(Features, AreWrittenAsTheyWereRead) {
  const auto words = featured(std::make_shared<WordTokenizer>("@@", false));
  for (const std::string line : {"a b\tV;PST", "a", "\tV", "a\tV"})
    EXPECT_EQ(words->decode(words->encode(line)), line);
  // A model may write a label anywhere.
  EXPECT_EQ(words->decode({"a@@", label("V"), "b", label("X"), "c"}), "ab c\tV;X");
  EXPECT_EQ(words->joined("a@@ b\tV;PST"), "ab\tV;PST");
  const auto characters = featured(std::make_shared<CharacterTokenizer>(false));
  EXPECT_EQ(characters->decode(characters->encode("a b\tV;PST")), "a b\tV;PST");
  EXPECT_EQ(characters->text_of(label("V")), " [V]");
}

TEST(Features, AreWordsBehindThoseOfTheText) {
  const auto tokenizer = featured(std::make_shared<CharacterTokenizer>(false));
  const std::string line = "ab c\tV;PST";
  EXPECT_EQ(tokenizer->words(line), (Pieces{"ab", "c", "V", "PST"}));
  const Pieces pieces = tokenizer->encode(line);
  const PieceWords words = tokenizer->piece_words(line, pieces);
  ASSERT_EQ(words.size(), pieces.size());
  EXPECT_EQ(words[0], (WordRange{0, 1}));
  EXPECT_EQ(words[3], (WordRange{1, 2}));
  EXPECT_EQ(words[4], (WordRange{2, 3}));
  EXPECT_EQ(words[5], (WordRange{3, 4}));
  EXPECT_EQ(tokenizer->written_words(pieces), words);
  EXPECT_EQ(tokenizer->piece_words(line, {"a", "b"}), (PieceWords{{0, 1}, {0, 1}}));
  EXPECT_EQ(tokenizer->written_words({label("V"), "a"}), (PieceWords{{1, 2}, {0, 1}}));
}

TEST(Features, StandBesideAMarker) {
  const auto both = with_marker(featured(std::make_shared<WordTokenizer>("", false)), " || ");
  EXPECT_EQ(both->encode("a\tV || b\tX"),
            (Pieces{"a", label("V"), std::string(kMarkerPiece), "b", label("X")}));
}

std::string problems_of_features(const std::string& yaml) {
  TextSection section;
  std::string all;
  for (const Problem& problem : find_problems(yaml, "c.yaml", section))
    all += problem.text() + "\n";
  return all;
}

TEST(Features, AreRefusedWhereTheyCannotBeRead) {
  EXPECT_EQ(problems_of_features("text: {source: {type: characters, features: ';'}}"), "");
  EXPECT_THAT(problems_of_features("text: {source: {type: words, features: ''}}"),
              HasSubstr("is empty"));
  EXPECT_THAT(problems_of_features("text: {source: {type: words, features: ';', marker: \"\\t\"}}"),
              HasSubstr("holds a tab"));
  EXPECT_THAT(
      problems_of_features("text: {source: {type: sentencepiece, size: 100, features: ';'}}"),
      HasSubstr("features"));
}

}  // namespace
}  // namespace heed
