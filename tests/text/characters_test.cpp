#include "text/characters.h"

#include "holds.h"
#include "text/codec.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

TEST(Characters, OnePieceACodePoint) {
  holds({"text.NAME=characters"});
  const CharacterTokenizer characters(false);
  EXPECT_EQ(characters.encode(" aé 漢"), (Pieces{"a", "é", "▁", "漢"}));
  EXPECT_EQ(characters.encode(""), Pieces());
  EXPECT_EQ(characters.encode("  "), Pieces());
}

TEST(Characters, ComeBack) {
  holds({"text.NAME=characters"});
  const CharacterTokenizer characters(false);
  for (const std::string line :
       {"Hello, world!", "e\xCC\x81 \xF0\x9F\x98\x80  two  spaces", "\t"}) {
    EXPECT_EQ(characters.decode(characters.encode(line)), line);
  }
  EXPECT_EQ(characters.decode({"a", "<unk>", "▁", "b"}), "a<unk> b");
}

TEST(Characters, LowerCases) {
  EXPECT_EQ(CharacterTokenizer(true).encode("ÄB"), (Pieces{"ä", "b"}));
}

TEST(Characters, JoinWordsUnlessOneIsASpaceOrStandsAlone) {
  const Codec codec(std::make_shared<CharacterTokenizer>(false),
                    std::make_shared<Vocabulary>(Pieces{"a", "▁", "7", ".", "漢", "\u0301"}));
  const WordJoins joins = codec.word_joins();
  const int32_t a = kSpecials, space = a + 1, seven = a + 2, dot = a + 3, han = a + 4,
                accent = a + 5;
  EXPECT_EQ(joins.space, space);
  EXPECT_TRUE(joins.join(a, a) && joins.join(seven, a) && joins.join(a, accent));
  for (const int32_t other : {space, dot, han, kUnknown})
    EXPECT_FALSE(joins.join(a, other) || joins.join(other, a)) << other;
}

TEST(Characters, SpacesBeginWords) {
  EXPECT_EQ(CharacterTokenizer(false).piece_words("ab c", {"a", "b", "▁", "c"}),
            (PieceWords{{0, 1}, {0, 1}, {1, 2}, {1, 2}}));
}

}  // namespace
}  // namespace heed
