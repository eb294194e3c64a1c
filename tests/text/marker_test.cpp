#include "text/marker.h"

#include <gtest/gtest.h>

#include "holds.h"
#include "text/characters.h"
#include "text/codec.h"
#include "text/words.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

const std::string kMark(kMarkerPiece);

std::shared_ptr<const Tokenizer> marked(std::shared_ptr<const Tokenizer> inner) {
  return with_marker(std::move(inner), "\t");
}

TEST(Marker, IsAPieceOfItsOwnInEveryTokenizer) {
  holds({"text.NAME.marker"});
  const auto words = marked(std::make_shared<WordTokenizer>("", false));
  EXPECT_EQ(words->encode("a b\tc  d"), (Pieces{"a", "b", kMark, "c", "d"}));
  const auto characters = marked(std::make_shared<CharacterTokenizer>(false));
  EXPECT_EQ(characters->encode("ab\tc"), (Pieces{"a", "b", kMark, "c"}));
  const auto other = with_marker(std::make_shared<WordTokenizer>("", false), " || ");
  EXPECT_EQ(other->encode("a || b\tc"), (Pieces{"a", kMark, "b", "c"}));
}

TEST(Marker, StandsBetweenSentencesAlone) {
  const auto words = marked(std::make_shared<WordTokenizer>("", false));
  EXPECT_EQ(words->encode("\ta\t\t \tb\t"), (Pieces{"a", kMark, "b"}));
  EXPECT_TRUE(words->encode("\t\t").empty());
  EXPECT_TRUE(words->encode("").empty());
}

TEST(Marker, CountsThePartsThatItLeavesOut) {
  const auto words = marked(std::make_shared<WordTokenizer>("", false));
  EXPECT_EQ(words->empty_parts("\ta\t\t \tb\t"), 4);
  EXPECT_EQ(words->empty_parts("a\tb"), 0);
  EXPECT_EQ(words->empty_parts(""), 0);
  EXPECT_EQ(WordTokenizer("", false).empty_parts("\t\t"), 0);
}

TEST(Marker, IsWrittenAsItWasRead) {
  holds({"text.NAME.marker"});
  const auto words = marked(std::make_shared<WordTokenizer>("", false));
  for (const std::string line : {"a b\tc", "a", "a\tb\tc d"})
    EXPECT_EQ(words->decode(words->encode(line)), line);
}

TEST(Marker, IsAWordOnlyWhereItIsMoreThanSpaces) {
  const auto tokenizer = std::make_shared<WordTokenizer>("@@", false);
  const Pieces pieces = {"a", "b@@", "b", kMark, "c"};
  const auto tabs = with_marker(tokenizer, "\t"), bars = with_marker(tokenizer, " || ");
  const PieceWords by_tabs = {{0, 1}, {1, 2}, {1, 2}, {}, {2, 3}};
  const PieceWords by_bars = {{0, 1}, {1, 2}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(tabs->written_words(pieces), by_tabs);
  EXPECT_EQ(bars->written_words(pieces), by_bars);
  EXPECT_EQ(tabs->piece_words("a b@@ b\tc", pieces), by_tabs);
  EXPECT_EQ(bars->piece_words("a b@@ b || c", pieces), by_bars);
  EXPECT_EQ(bars->words("a b@@ b || c"), (Pieces{"a", "bb", "||", "c"}));
}

// encode() leaves out marks that other tools count.
TEST(Marker, IsAWordWhereverItStands) {
  const auto bars = with_marker(std::make_shared<WordTokenizer>("", false), "|");
  EXPECT_EQ(bars->words("| a | | b |"), (Pieces{"|", "a", "|", "|", "b", "|"}));
  EXPECT_EQ(bars->piece_words("| a | | b |", {"a", kMark, "b"}),
            (PieceWords{{1, 2}, {3, 4}, {4, 5}}));
  EXPECT_EQ(bars->piece_words("| a | | b |", {"a", kMark}), (PieceWords{{1, 2}, {3, 4}})) << "cut";
}

TEST(Marker, HasAnIdWhereItIsInTheVocabulary) {
  const auto words = marked(std::make_shared<WordTokenizer>("", false));
  const auto vocabulary = std::make_shared<const Vocabulary>(Pieces{"a", kMark});
  const Codec codec(words, vocabulary);
  EXPECT_EQ(codec.marker(), kSpecials + 1);
  EXPECT_EQ(codec.encode("a\tb"), (Ids{kSpecials, kSpecials + 1, kUnknown}));
  const Codec plain(std::make_shared<WordTokenizer>("", false), vocabulary);
  EXPECT_EQ(plain.marker(), std::nullopt);
}

TEST(Marker, DoesNotReachWhatIsLearnedFrom) {
  const LineSource lines = [](const std::function<void(std::string_view)>& take) {
    take("a\tb c");
    take("d");
  };
  Pieces parts;
  parts_of(lines, "\t")([&parts](std::string_view part) { parts.emplace_back(part); });
  EXPECT_EQ(parts, (Pieces{"a", "b c", "d"}));
}

}  // namespace
}  // namespace heed
