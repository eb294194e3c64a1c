#include "data/target_words.h"

#include <gmock/gmock.h>

#include "data_test_tools.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> words_of(const std::string& source, const std::string& target) {
  const TemporaryFolder folder;
  write_plainly(folder / "s", source);
  write_plainly(folder / "t", target);
  return find_target_words(TrainingText({corpus_files({folder / "s"}, {folder / "t"})}));
}

TEST(TargetWords, AreFrequentThereAndRareInTheSources) {
  EXPECT_THAT(words_of("a man in a house\nin Bonn\n", "ein Mann in einem Haus\nin einem Ort\n"),
              ElementsAre("einem", "Haus", "Mann", "Ort", "ein"));
  EXPECT_THAT(words_of("b a c\nd\n", "a b c\nd\n"), IsEmpty()) << "one language";
}

TEST(TargetWords, LeaveOutMalformedOnes) {
  EXPECT_THAT(words_of("a\n", "b\xff b\xff c\n"), ElementsAre("c"));
}

TEST(TargetWords, AreAtMostAHundred) {
  std::string many;
  for (int i = 0; i < 400; ++i) many += fmt::format("w{} ", i);
  EXPECT_EQ(words_of("a\n", many + "\n").size(), 100u);
}

TEST(TargetWords, AreCountedInLinesThatAreFullOfThem) {
  const std::unordered_set<std::string> words{"der", "ein", "und"};
  EXPECT_EQ(count_target_words("der Mann und ein Hund", words), 3);
  EXPECT_EQ(count_target_words("der Mann liest heute ein langes Buch im Park", words), 0);
  EXPECT_EQ(count_target_words("der und ein", words), 0) << "too few words";
  EXPECT_EQ(count_target_words("der Mann und ein Hund", {}), 0);
}

}  // namespace
}  // namespace heed
