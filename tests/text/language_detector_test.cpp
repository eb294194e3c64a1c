// Languages of texts.
#include "text/language_detector.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"

namespace heed {
namespace {

std::string first_language(std::string_view text, const std::vector<std::string>& likely = {}) {
  const auto found = detect_languages(text, likely);
  return found.empty() ? "" : found.front().language;
}

TEST(LanguageDetector, FindsLanguagesOfSentences) {
  EXPECT_EQ(first_language("Ein Mann schläft auf einer Bank im Park."), "de");
  EXPECT_EQ(first_language("A man is sleeping on a bench in the park."), "en");
  EXPECT_EQ(first_language("男は公園のベンチで眠っている。"), "ja");
  EXPECT_EQ(first_language("一个男人在公园的长椅上睡觉。"), "zh");
  EXPECT_EQ(first_language("12 34 !"), "");
  EXPECT_EQ(first_language(""), "");
  const auto mixed =
      detect_languages("Ein Mann schläft auf einer Bank im Park. 男は公園のベンチで眠っている。");
  ASSERT_EQ(mixed.size(), 2);
  EXPECT_NE(mixed[0].language, mixed[1].language);
  EXPECT_GE(mixed[0].share, mixed[1].share);
  EXPECT_EQ(first_language("Ein Mann schl\xff auf einer Bank im Park."), "de");
}

TEST(LanguageDetector, PrefersLikelyLanguagesWhereItIsNotSure) {
  EXPECT_EQ(first_language("Hello", {"de", "en"}), "en");
  EXPECT_EQ(first_language("Hallo", {"en", "de"}), "de");
  EXPECT_EQ(first_language("Questa frase è scritta in lingua italiana.", {"de", "en"}), "it");
}

// Sentences of FLORES-200, whose files are named by their languages.
TEST(LanguageDetector, IsRightForFlores) {
  const char* corpora = std::getenv("HEED_CORPORA");
  if (corpora == nullptr) GTEST_SKIP() << "HEED_CORPORA names no folder";
  const fs::path folder = fs::path(corpora) / "flores200-devtest";
  const std::vector<std::string> offered = {"de", "en", "es", "fr", "ja", "sw", "zh"};
  for (const auto& [file, language] : {std::pair{"deu_Latn", "de"},
                                       {"eng_Latn", "en"},
                                       {"spa_Latn", "es"},
                                       {"fra_Latn", "fr"},
                                       {"jpn_Jpan", "ja"},
                                       {"swh_Latn", "sw"},
                                       {"zho_Hans", "zh"}}) {
    int64_t right = 0, lines = 0;
    LineReader reader(folder / ("devtest." + std::string(file)));
    for (std::string line; reader.next(line); ++lines)
      right += first_language(line, offered) == language ? 1 : 0;
    EXPECT_EQ(lines, 1012) << file;
    EXPECT_GE(right, 1000) << file;
  }
}

}  // namespace
}  // namespace heed
