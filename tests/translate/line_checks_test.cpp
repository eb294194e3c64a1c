#include "translate/line_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/words.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LineChecks : public testing::Test {
 protected:
  LineChecks() {
    const auto codec = std::make_shared<const Codec>(
        std::make_shared<WordTokenizer>("", false),
        std::make_shared<const Vocabulary>(std::vector<std::string>{"The", "house", "the"}));
    model_.sources = model_.inputs = {"source"};
    model_.codecs = {{"source", codec}, {kTargetSide, codec}};
    SourceFacts& facts = model_.source_lines.emplace();
    facts.unknown_tokens = facts.all_capitals = facts.first_small = facts.inline_tags = 0.004;
    facts.first_capital = 0.99;
  }
  std::vector<std::string> warnings(const std::string& line) const {
    WarningList found;
    check_line(model_, {line}, encode_line(model_, {line}, 1), found);
    std::vector<std::string> texts;
    for (const LineWarning& warning : found)
      texts.push_back(std::string(name_of(warning.kind)) + ": " + warning.text());
    return texts;
  }
  TextModel model_;
};

TEST_F(LineChecks, NameWhatHardlyALineOfTheTrainingHas) {
  EXPECT_THAT(warnings("The house"), IsEmpty());
  EXPECT_THAT(warnings("the house"),
              ElementsAre(HasSubstr("source_unlike: begins with a small letter, as hardly")));
  model_.source_lines->unknown_tokens = 0.5;
  EXPECT_THAT(warnings("THE HOUSE"),
              ElementsAre(HasSubstr("source_unlike: all in capital letters, as hardly")));
  EXPECT_THAT(warnings("The <b>house</b>"),
              ElementsAre(HasSubstr("source_unlike: has tags such as <b>, as hardly")));
}

TEST_F(LineChecks, NameUnknownTokensWhereTheyAreRare) {
  EXPECT_THAT(
      warnings("The house the house ☃ ☂ ☃"),
      ElementsAre(testing::AllOf(HasSubstr("unknown: words or characters"), HasSubstr("(☃ ☂)"))));
  EXPECT_THAT(warnings("☃ ☂ ☃ The"),
              ElementsAre(HasSubstr("unknown: mostly words that the model does not know")));
  model_.source_lines->unknown_tokens = 0.005;
  EXPECT_THAT(warnings("The house ☃"), IsEmpty());
}

TEST_F(LineChecks, NameALanguageCodeThatTheModelHasNot) {
  model_.source_lines.reset();
  EXPECT_THAT(warnings(">>ger<< The house"), IsEmpty()) << "a model without codes";
  const auto codec = std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("", false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"The", ">>deu<<", "house"}));
  model_.codecs = {{"source", codec}, {kTargetSide, codec}};
  EXPECT_THAT(warnings(">>deu<< The house"), IsEmpty());
  EXPECT_THAT(warnings(">>ger<< The house"),
              ElementsAre("unknown: a language code that the model does not have, read as <unk>; "
                          "expected >>deu<< (>>ger<<)"));
}

TEST_F(LineChecks, AreSilentWhereTheTrainingIsNotKnown) {
  model_.source_lines.reset();
  for (const char* line : {"the house", "THE HOUSE", "The <b>house</b>", "The house ☃"})
    EXPECT_THAT(warnings(line), IsEmpty()) << line;
}

TEST_F(LineChecks, AllowCapitalsWhereTheTrainingHasThem) {
  model_.source_lines->first_capital = 0;
  EXPECT_THAT(warnings("The house"), ElementsAre(HasSubstr("begins with a capital letter")));
}

TEST_F(LineChecks, NameATranslationThatRepeatsItself) {
  WarningList found;
  check_repetition(model_, encode_line(model_, {"The house"}, 1),
                   "a house is a house is a house is a house", found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, WarningKind::kRepeated);
  EXPECT_EQ(found[0].detail, "'a house is a' 3 times");
  found.clear();
  check_repetition(model_, encode_line(model_, {"The house"}, 1), "ein Haus!!!!!!!!!!", found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].detail, "'!' 10 times");
}

TEST_F(LineChecks, NameATranslationThatIsTheSource) {
  const auto found = [this](const std::string& source, const std::string& target) {
    WarningList warnings;
    check_copy(model_, encode_line(model_, {source}, 1), target, warnings);
    return warnings.size();
  };
  EXPECT_EQ(found("The house is the house.", "The house is the house."), 0u) << "one language";
  model_.target_words = {"das"};
  EXPECT_EQ(found("The house is the house.", "the house is the house"), 1u);
  EXPECT_EQ(found("The house is the house.", "the house is the"), 0u);
  EXPECT_EQ(found("The house 1 2 3 4", "The house 1 2 3 4"), 0u) << "two words";
  model_.copies = true;
  EXPECT_EQ(found("The house is the house.", "The house is the house."), 0u);
}

}  // namespace
}  // namespace heed
