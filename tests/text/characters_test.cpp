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

TEST(Characters, DoNotShowWhatMakesAWordLonger) {
  const Codec codec(std::make_shared<CharacterTokenizer>(false),
                    std::make_shared<Vocabulary>(std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(codec.word_continuations().empty());
}

TEST(Characters, SpacesBeginWords) {
  EXPECT_EQ(CharacterTokenizer(false).words_of({"a", "b", "▁", "c"}),
            (std::vector<int64_t>{0, 0, 1, 1}));
}

}  // namespace
}  // namespace heed
