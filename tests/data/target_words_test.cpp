#include "data/target_words.h"

#include <gtest/gtest.h>

#include "data_test_tools.h"

namespace heed {
namespace {

std::string words_of(const std::string& source, const std::string& target) {
  const TemporaryFolder folder;
  std::string sources, targets;
  for (int i = 0; i < 5; ++i) sources += source, targets += target;
  write_plainly(folder / "s", sources);
  write_plainly(folder / "t", targets);
  return find_target_words(TrainingText({corpus_files({folder / "s"}, {folder / "t"})}));
}

TEST(TargetWords, AreFrequentThereAndRareInTheSources) {
  EXPECT_EQ(words_of("a man in a house\nin Bonn\n", "ein Mann in einem Haus\nin einem Ort\n"),
            "einem Haus Mann Ort ein");
  EXPECT_EQ(words_of("b a c\nd\n", "a b c\nd\n"), "") << "one language";
}

TEST(TargetWords, LeaveOutMalformedAndLongOnes) {
  EXPECT_EQ(words_of("a\n", "b\xff b\xff c " + std::string(41, 'd') + "\n"), "c");
}

TEST(TargetWords, AreAtMostAHundred) {
  std::string many;
  for (int i = 100; i < 500; ++i) many += fmt::format("w{} ", i);
  EXPECT_EQ(words_of("a\n", many + "\n").size(), 100 * 5 - 1u);
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
