#include "base/language_code.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(LanguageCode, IsThatOfIso639) {
  EXPECT_EQ(language_code("en"), "en");
  EXPECT_EQ(language_code("eng"), "en");
  EXPECT_EQ(language_code("eng_Latn"), "en");
  EXPECT_EQ(language_code("pt-BR"), "pt");
  EXPECT_EQ(language_code("zho_Hans"), "zh");
  EXPECT_EQ(language_code("haw"), "haw");
  for (const char* none :
       {"", "source", "src", "tgt", "txt", "gz", "bpe", "tok", "a", "xx", "§", "e n"})
    EXPECT_EQ(language_code(none), "") << none;
}

}  // namespace
}  // namespace heed
