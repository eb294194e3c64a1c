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

TEST(LanguageNames, AreThoseOfALanguage) {
  EXPECT_TRUE(language_names("en").contains("german"));
  EXPECT_TRUE(language_names("de").contains("englisch"));
  EXPECT_FALSE(language_names("en").contains("house"));
  EXPECT_EQ(language_of_own_name("deutsch"), "de");
  EXPECT_EQ(language_of_own_name("français"), "fr");
  EXPECT_EQ(language_of_own_name("german"), "");
}

}  // namespace
}  // namespace heed
