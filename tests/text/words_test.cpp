#include "text/words.h"

#include "holds.h"
#include "text/codec.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

TEST(Words, SplitsAtSpaces) {
  holds({"text.NAME=words"});
  const WordTokenizer words("", false);
  EXPECT_EQ(words.encode("  a  man\twalks , slowly "),
            (Pieces{"a", "man", "walks", ",", "slowly"}));
  EXPECT_EQ(words.encode(""), Pieces());
  EXPECT_EQ(words.encode("   "), Pieces());
  EXPECT_EQ(words.decode({"a", "man"}), "a man");
  EXPECT_EQ(words.decode({}), "");
}

TEST(Words, LowerCases) {
  EXPECT_EQ(WordTokenizer("", true).encode("Der ÄRGER STRASSE"),
            (Pieces{"der", "ärger", "strasse"}));
}

TEST(Words, KeepsOddBytesOutOfPieces) {
  const WordTokenizer words("", false);
  // A carriage return cannot be part of a vocabulary file; malformed bytes become U+FFFD.
  EXPECT_EQ(words.encode("a\rb"), (Pieces{"a", "b"}));
  EXPECT_EQ(words.encode("x\xFFy"), (Pieces{"x\xEF\xBF\xBDy"}));
  EXPECT_EQ(words.encode(std::string("n\0l b", 5)), (Pieces{std::string("n\0l", 3), "b"}));
}

// Equals `sed -r 's/(@@ )|(@@ ?$)//g'` of subword-nmt's README, applied to the pieces joined by
// spaces.
TEST(Words, UndoesSubwordNmt) {
  holds({"text.NAME.join"});
  const WordTokenizer words("@@", false);
  EXPECT_EQ(words.decode({"un@@", "think@@", "able", "things"}), "unthinkable things");
  EXPECT_EQ(words.decode({"end@@"}), "end");
  EXPECT_EQ(words.decode({"a", "@@", "b"}), "a b");
  EXPECT_EQ(words.decode({"mail@@home", "x"}), "mail@@home x");
}

TEST(Words, JoinsAReferenceAsItsOutput) {
  holds({"text.NAME.join"});
  EXPECT_EQ(WordTokenizer("@@", true).joined("Un@@ think@@ able  things"), "Unthinkable things");
  EXPECT_EQ(WordTokenizer("", true).joined("Un@@  do"), "Un@@  do");
}

TEST(Words, MapsPartsToTheirWord) {
  const PieceWords words = {{0, 1}, {0, 1}, {1, 2}, {2, 3}, {2, 3}};
  const Pieces pieces = {"un@@", "do", "it", "n@@", "ow"};
  EXPECT_EQ(WordTokenizer("@@", false).written_words(pieces), words);
  EXPECT_EQ(WordTokenizer("@@", false).piece_words("un@@ do it n@@ ow", pieces), words);
  EXPECT_EQ(WordTokenizer("@@", false).words("un@@ do it  n@@ ow@@"),
            (Pieces{"undo", "it", "now"}));
  EXPECT_EQ(WordTokenizer("", false).written_words({"un@@", "do"}), (PieceWords{{0, 1}, {1, 2}}));
}

TEST(Words, TextCannotEndASentence) {
  const Codec codec(std::make_shared<WordTokenizer>("", false),
                    std::make_shared<Vocabulary>(Pieces{"a"}));
  Pieces surface;
  EXPECT_EQ(codec.encode("a </s> <pad> <s> b", &surface), (Ids{4, 1, 1, 1, 1}));
  EXPECT_EQ(surface, (Pieces{"a", "</s>", "<pad>", "<s>", "b"}));
}

TEST(Words, DecodingLeavesSpecialsOut) {
  const Codec codec(std::make_shared<WordTokenizer>("", false),
                    std::make_shared<Vocabulary>(Pieces{"a", "b"}));
  EXPECT_EQ(codec.decode(Ids{kBegin, 5, kUnknown, 4, kEnd, kPad}), "b <unk> a");
  EXPECT_EQ(codec.pieces({kBegin, 5, kUnknown, 4, kEnd, kPad}), (Pieces{"b", "<unk>", "a"}));
}

}  // namespace
}  // namespace heed
