#include "translate/glossary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found_in(const Glossary& glossary, const std::string& text) {
  std::vector<std::string> found;
  for (const Glossary::Match& match : glossary.find(text))
    found.push_back(match.source + ":" + testing::PrintToString(match.targets));
  return found;
}

TEST(Glossary, FindsWholeWordsTheLongestFirst) {
  const Glossary glossary({{{"dog"}, {"Hund", "Hunde"}},
                           {{"hot dog", "frankfurter"}, {"Wurst"}},
                           {{"e-mail"}, {"E-Mail"}}});
  EXPECT_THAT(found_in(glossary, "A hot  dog, a dog-house and dogs"),
              ElementsAre(R"(hot  dog:{ "Wurst" })"));
  EXPECT_THAT(found_in(glossary, "(dog) or e-mail: frankfurter"),
              ElementsAre(R"(dog:{ "Hund", "Hunde" })", R"(e-mail:{ "E-Mail" })",
                          R"(frankfurter:{ "Wurst" })"));
  EXPECT_THAT(found_in(glossary, "dog, dog and Dog"), ElementsAre(R"(dog:{ "Hund", "Hunde" })"));
  EXPECT_THAT(found_in(glossary, ""), IsEmpty());
}

TEST(Glossary, ComparesLetterCaseFirst) {
  const Glossary glossary({{{"Turkey"}, {"Türkei"}},
                           {{"turkey"}, {"Truthahn"}},
                           {{"IT"}, {"IT"}},
                           {{"Über"}, {"over"}}});
  EXPECT_THAT(glossary.find("Turkey").at(0).targets, ElementsAre("Türkei"));
  EXPECT_THAT(found_in(glossary, "turkey"), ElementsAre(R"(turkey:{ "Truthahn" })"));
  EXPECT_EQ(glossary.find("TURKEY").size(), 1u);
  EXPECT_EQ(glossary.find("it It IT").size(), 1u);
  EXPECT_EQ(glossary.find("it It").size(), 0u);
  EXPECT_EQ(glossary.find("ÜBER über").size(), 1u);
}

TEST(Glossary, FindsCharactersWhereWordsHaveNoSpaces) {
  const Glossary glossary({{{"保存"}, {"save"}}, {{"保存先"}, {"folder"}}});
  EXPECT_THAT(found_in(glossary, "ここで保存先を保存する").size(), 2u);
  EXPECT_EQ(glossary.find("保　存").size(), 1u);
}

TEST(Glossary, JoinsTheTargetsOfATerm) {
  const Glossary glossary({{{"car"}, {"Auto"}}, {{"car"}, {"Wagen", "Auto"}}});
  EXPECT_THAT(glossary.find("car").at(0).targets, ElementsAre("Auto", "Wagen"));
  EXPECT_EQ(glossary.size(), 1u);
}

}  // namespace
}  // namespace heed
