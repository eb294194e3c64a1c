#include "text/line_language.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "holds.h"
#include "text/codec.h"
#include "text/words.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

std::shared_ptr<const Tokenizer> in(const LineLanguage& language) {
  return with_language(std::make_shared<const WordTokenizer>("", false), language);
}

TEST(LineLanguages, BeginTheLineUnlessItNamesAnother) {
  const auto tokenizer = in({.in_lines = true, .otherwise = "de"});
  EXPECT_EQ(tokenizer->encode("a b"), (Pieces{">>de<<", "a", "b"}));
  EXPECT_EQ(tokenizer->encode(">>fr<< a"), (Pieces{">>fr<<", "a"}));
  EXPECT_EQ(tokenizer->encode(" "), Pieces());
  EXPECT_EQ(tokenizer->opening(), ">>de<<");
  EXPECT_EQ(tokenizer->decode({">>fr<<", "a"}), "a");
  EXPECT_EQ(tokenizer->piece_words("a b", {">>de<<", "a", "b"}),
            (PieceWords{{0, 1}, {0, 1}, {1, 2}}));
}

TEST(LineLanguages, ThatAreNeededAreNamedOrChosen) {
  const auto tokenizer = in({.in_lines = true, .is_needed = true});
  EXPECT_TRUE(tokenizer->needs_language());
  EXPECT_ERROR(tokenizer->encode("a"), ErrorKind::kData, "does not name its language");
  EXPECT_EQ(tokenizer->encode(""), Pieces());
  EXPECT_EQ(tokenizer->encode(">>fr<< a"), (Pieces{">>fr<<", "a"}));
  const auto chosen = dynamic_cast<const LanguageTokenizer&>(*tokenizer).in_language("de");
  EXPECT_FALSE(chosen->needs_language());
  EXPECT_EQ(chosen->encode("a"), (Pieces{">>de<<", "a"}));
}

TEST(LineLanguages, MayStandBehindTheEnd) {
  holds({"text.NAME.language_at_end"});
  const Codec codec(in({.in_lines = true, .otherwise = "de", .is_at_end = true}),
                    std::make_shared<const Vocabulary>(Pieces{"a", "b", ">>de<<", ">>fr<<"}));
  const int32_t a = kSpecials, b = a + 1, de = a + 2, fr = a + 3;
  EXPECT_EQ(codec.encode("a b"), (Ids{a, b, kEnd, de}));
  EXPECT_EQ(codec.encode(">>fr<< a </s>"), (Ids{a, kUnknown, kEnd, fr}));
  EXPECT_EQ(codec.encode(""), Ids());
  EXPECT_FALSE(codec.opening());
  EXPECT_EQ(codec.decode(codec.encode("a b")), "a b");
  EXPECT_EQ(codec.tokenizer().piece_words("a b", {"a", "b", "</s>", ">>de<<"}),
            (PieceWords{{0, 1}, {1, 2}, {1, 2}, {1, 2}}));
  Ids ids = codec.encode("a b a b");
  codec.cut(ids, 4);
  EXPECT_EQ(ids, (Ids{a, b, kEnd, de}));
  codec.cut(ids, 9);
  EXPECT_EQ(ids.size(), 4u);
}

TEST(LineLanguages, OfAVocabularyAreItsCodes) {
  const Vocabulary vocabulary(
      Pieces{"a", ">>s<<", ">>eng_Latn<<", ">>", ">>x y<<", ">>mask<<", ">>de<<b", ">>de<<"});
  EXPECT_EQ(language_codes(vocabulary), (Pieces{"eng_Latn", "de"}));
  EXPECT_EQ(language_codes_text(vocabulary), ">>eng_Latn<< >>de<<");
}

}  // namespace
}  // namespace heed
