#include "translate/word_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Stems of a toy language: words in lower case without these endings.
std::string toy_stem(const std::string& word) {
  std::string stem = lower_case(word);
  for (const char* ending : {"en", "e", "n", "s"})
    if (stem.ends_with(ending))
      return stem.substr(0, stem.size() - std::string_view(ending).size());
  return stem;
}

WordForms toy_forms() {
  return WordForms(toy_stem, {"Hund", "Hunde", "hunde", "Tag", "Tage", "Tags", "Wort", "Worte",
                              "Worten", "Berg", "Berge", "Bergs", "Bergen", "kurz", "kurze"});
}

TEST(WordForms, AreThoseOfTheVocabulary) {
  EXPECT_EQ(toy_forms().of("Wort", 2), (std::vector<std::string>{"Worte", "Worten"}));
}

TEST(WordForms, FollowTheWordsOfTheVocabulary) {
  // "" → "e" and "" → "s" are changes of several words; "" → "st" is one of none.
  EXPECT_THAT(toy_forms().of("Vertrag", 16),
              testing::AllOf(testing::Contains("Vertrage"), testing::Contains("Vertrags"),
                             testing::Not(testing::Contains("Vertragst"))));
  EXPECT_THAT(toy_forms().of("Verträge", 1), ElementsAre("Verträg"));
}

TEST(WordForms, KeepTheCaseOfTheFirstLetter) {
  EXPECT_THAT(toy_forms().of("Hund", 1), ElementsAre("Hunde"));
  EXPECT_THAT(toy_forms().of("NATO", 16), IsEmpty());
  EXPECT_THAT(toy_forms().of("3", 16), IsEmpty());
}

TEST(WordForms, OfSeveralWordsAreAllTheirCombinations) {
  const WordForms forms(toy_stem, {"kurz", "kurze", "Hund", "Hunde"});
  EXPECT_THAT(forms.of("kurz  Hund", 16),
              UnorderedElementsAre("kurze  Hund", "kurz  Hunde", "kurze  Hunde"));
  EXPECT_EQ(forms.key("kurze Hunde"), forms.key("Kurz Hund"));
}

}  // namespace
}  // namespace heed
