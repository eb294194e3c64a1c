#include "glossary/stemmer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heed {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

GlossaryStems english_german(const std::vector<std::string>& words) {
  return {.source = find_stems("en"),
          .target = std::make_shared<const WordForms>(find_stems("de"), words)};
}

TEST(Stemmers, AreThoseOfSnowball) {
  // Words and stems of the vocabularies of snowballstem.org.
  EXPECT_EQ(find_stems("en")("Consistently"), "consist");
  EXPECT_EQ(find_stems("deu")("H\u00e4user"), "haus");
  EXPECT_EQ(find_stems("ru")("\u0441\u043e\u0431\u0430\u043a\u0438"),
            "\u0441\u043e\u0431\u0430\u043a");
  EXPECT_FALSE(find_stems("ja"));
  EXPECT_FALSE(find_stems(""));
  EXPECT_THAT(languages_with_stems(), Contains("finnish"));
}

TEST(GlossaryWithStems, FindsInflectedTerms) {
  const std::vector<GlossaryTerm> terms = {
      {{"hot dog"}, {"Wurst"}}, {{"run"}, {"laufen"}}, {{"IT"}, {"IT"}}};
  const Glossary exact(terms), stems(terms, english_german({}));
  EXPECT_TRUE(exact.find("hot dogs running it").empty());
  const auto found = stems.find("Hot dogs were running; it ran");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].source, "Hot dogs");
  EXPECT_EQ(found[1].source, "running");
}

TEST(GlossaryWithStems, PrefersTheTermAsItIs) {
  // Both have the stem "organ".
  const Glossary glossary({{{"organization"}, {"Verein"}}, {{"organ"}, {"Orgel"}}},
                          english_german({}));
  ASSERT_EQ(find_stems("en")("organization"), find_stems("en")("organ"));
  EXPECT_THAT(glossary.find("organ").at(0).targets, ElementsAre("Orgel"));
  EXPECT_THAT(glossary.find("Organ").at(0).targets, ElementsAre("Orgel"));
  EXPECT_THAT(glossary.find("Organization").at(0).targets, ElementsAre("Verein"));
  EXPECT_EQ(glossary.find("organs").size(), 1u);
}

TEST(GlossaryWithStems, KnowsFormsOfTheTarget) {
  const Glossary glossary({{{"dog"}, {"Hund"}}, {{"puppies"}, {"Hunden"}}},
                          english_german({"Tag", "Tage", "Berg", "Berge"}));
  const auto match = glossary.find("two dogs").at(0);
  EXPECT_THAT(match.targets, ElementsAre("Hund"));
  EXPECT_THAT(match.forms, testing::IsSupersetOf({"Hunden", "Hunde"}));
  EXPECT_TRUE(glossary.has_form(match, "Die Hunde schlafen."));
  EXPECT_FALSE(glossary.has_form(match, "Die Katze schl\u00e4ft."));
}

TEST(GlossaryWithStems, NeedsAStemmerOfTheSource) {
  const Codec codec(nullptr, std::make_shared<const Vocabulary>());
  EXPECT_THAT(
      [&] {
        glossary_stems({"ja", "de"}, codec);
      },
      testing::ThrowsMessage<Error>(
          testing::AllOf(HasSubstr("the source language is 'ja'"), HasSubstr("german"))));
  EXPECT_EQ(glossary_stems({"en", "ja"}, codec).target, nullptr);
}

}  // namespace
}  // namespace heed
