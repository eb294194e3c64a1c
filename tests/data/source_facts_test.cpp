#include "data/source_facts.h"

#include <gtest/gtest.h>

#include "data_test_tools.h"
#include "text/words.h"

namespace heed {
namespace {

Codec codec_of(const std::vector<std::string>& words, bool lower = false) {
  return {std::make_shared<WordTokenizer>("", lower), std::make_shared<const Vocabulary>(words)};
}

LineProperties of(const std::string& line, bool lower = false) {
  const Codec codec = codec_of({"a", "b"}, lower);
  return properties_of(line, codec.encode(line), codec);
}

TEST(LineProperties, AreThoseOfItsLetters) {
  EXPECT_TRUE(of("I AM TIRED.").all_capitals);
  EXPECT_FALSE(of("THE EU, or so.").all_capitals);
  EXPECT_FALSE(of("NATO!").all_capitals) << "five capital letters may be a name";
  EXPECT_TRUE(of("“The house").first_capital);
  EXPECT_TRUE(of("the House").first_small);
  EXPECT_FALSE(of("犬が iPhone を").first_small) << "most letters have no case";
  const LineProperties lowered = of("I AM TIRED.", true);
  EXPECT_FALSE(lowered.all_capitals || lowered.first_capital) << "the model does not see them";
}

TEST(LineProperties, AreTagsAndUnknownTokens) {
  for (const char* tagged : {"a <b>c</b>", "</p>", "x<br/>y", "<a href=\"x\">", "<unk> <i>"})
    EXPECT_TRUE(of(tagged).inline_tags) << tagged;
  for (const char* plain : {"a < b > c", "1 <2> 3", "<unk>", "<", "a<b", "<>", "</>"})
    EXPECT_FALSE(of(plain).inline_tags) << plain;
  EXPECT_TRUE(of("a c").unknown_tokens);
  EXPECT_FALSE(of("a b").unknown_tokens);
}

class Facts : public testing::Test {
 protected:
  TrainingText text(const std::string& source, const std::string& ending = ".en") {
    const auto lines = static_cast<int>(std::ranges::count(source, '\n'));
    std::string target;
    for (int i = 0; i < lines; ++i) target += "t\n";
    const std::string name = std::to_string(++files_);
    write_plainly(folder_ / (name + ending), source);
    write_plainly(folder_ / (name + ".de"), target);
    return TrainingText({corpus_files({folder_ / (name + ending)}, {folder_ / (name + ".de")})});
  }
  TemporaryFolder folder_;
  int files_ = 0;
};

TEST_F(Facts, AreSharesOfTheLines) {
  const SourceFacts facts = find_source_facts(text("a. B. C.\nA b\nMr. B a\nA B C D E F\n"), 0,
                                              codec_of({"A", "B", "a", "b"}), "en");
  EXPECT_EQ(facts.several_sentences, 0.25);
  EXPECT_EQ(facts.unknown_tokens, 0.75);
  EXPECT_EQ(facts.all_capitals, 0.25);
  EXPECT_EQ(facts.first_capital, 0.75);
  EXPECT_EQ(facts.first_small, 0.25);
  EXPECT_EQ(facts.inline_tags, 0);
  EXPECT_TRUE(facts.has_several_sentences());
  EXPECT_FALSE(is_rare(facts.all_capitals));
  EXPECT_TRUE(is_rare(facts.inline_tags));
  EXPECT_FALSE(is_rare(std::nullopt)) << "not known";
}

// "Dr." goes on more often than it ends; "late." does not, "No." is too rare, and "worry" mostly has no
// period.
TEST_F(Facts, HaveTheAbbreviationsOfTheText) {
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += "Ask Dr. No about it.\nIt is the 3. May.\n";
  for (int i = 0; i < 90; ++i) lines += "It is late.\n";
  for (int i = 0; i < 3; ++i) lines += "It is late. Go home.\n";
  lines += "I saw the Dr.\nNo. I sleep.\nNo. I eat.\n";
  for (int i = 0; i < 3; ++i) lines += "Don't worry. I sleep.\nDon't (worry, Tom.\n";
  const SourceFacts facts = find_source_facts(text(lines, ".xx"), 0, codec_of({}), "");
  EXPECT_EQ(facts.abbreviations, (std::vector<std::string>{"0.", "Dr."}));
  EXPECT_NEAR(facts.several_sentences.value(), 8.0 / 112, 1e-5);
  EXPECT_FALSE(facts.has_single_sentences());
}

TEST_F(Facts, HaveNoAbbreviationsOfDocuments) {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "It rains here. It is late.\nIt rains.\n";
  const SourceFacts facts = find_source_facts(text(lines), 0, codec_of({}), "en");
  EXPECT_TRUE(facts.abbreviations.empty());
  EXPECT_EQ(facts.several_sentences, 0.5);
}

// 100,000 lines, of which the last half is in capital letters.
TEST_F(Facts, AreThoseOfTheWholeText) {
  std::string lines;
  for (int i = 0; i < 50'000; ++i) lines += "abc\n";
  for (int i = 0; i < 50'000; ++i) lines += "ABCDEF\n";
  const SourceFacts facts = find_source_facts(text(lines), 0, codec_of({}), "");
  EXPECT_EQ(facts.all_capitals, 0.5);
}

TEST_F(Facts, HaveTheLanguageOfTheFilesOrTheName) {
  EXPECT_EQ(language_of_side(text("a\n"), 0, "source"), "en");
  EXPECT_EQ(language_of_side(text("a\n"), 1, "target"), "de");
  EXPECT_EQ(language_of_side(text("a\n"), 0, "fr"), "fr");
  EXPECT_EQ(language_of_side(text("a\n", ".eng_Latn"), 0, "source"), "en");
  EXPECT_EQ(language_of_side(text("a\n", ".src"), 0, "source"), "");
  EXPECT_EQ(language_of_side(text("a\n", ""), 0, "source"), "");
  const TrainingText both({corpus_files({folder_ / "1.en"}, {folder_ / "1.de"}),
                           corpus_files({folder_ / "1.de"}, {folder_ / "1.de"})});
  EXPECT_EQ(language_of_side(both, 0, "source"), "") << "two languages";
}

}  // namespace
}  // namespace heed
