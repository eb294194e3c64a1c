// Names of files in the folder of a run.
#include "base/run_folder_names.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"

namespace heed {
namespace {

std::string name_of(const std::string& set) {
  return test_text_files("run", set).translations.lexically_relative("run/translations").string();
}

TEST(TestTextFiles, HaveTheNameOfTheirSet) {
  EXPECT_EQ(test_text_files("run", "news 2016").translations, "run/translations/news 2016.hyp");
  EXPECT_EQ(test_text_files("run", "news 2016").references, "run/translations/news 2016.ref");
}

TEST(TestTextFiles, StayInTheirFolder) {
  EXPECT_EQ(name_of("../x"), "%2e.%2fx.hyp");
  EXPECT_EQ(name_of("a%2fb"), "a%252fb.hyp") << "another set than a/b";
  EXPECT_EQ(name_of("a\nb"), "a%0ab.hyp");
  EXPECT_EQ(name_of("é.v2"), "é.v2.hyp");
}

TEST(TestTextFiles, OfALongNameAreNamedByItsHash) {
  const std::string one = name_of(std::string(250, 'a')), other = name_of(std::string(251, 'a'));
  EXPECT_LT(one.size(), 100u);
  EXPECT_NE(one, other);
}

TEST(TestTexts, AreRemovedAndNothingElse) {
  const TemporaryFolder run;
  const auto files = test_text_files(run.path(), "news");
  std::filesystem::create_directories(run / "translations");
  write_plainly(files.translations, "a\n");
  write_plainly(files.references, "a\n");
  write_plainly(run / "translations/notes.txt", "mine");
  remove_test_texts(run.path());
  EXPECT_EQ(names_in(run.path()),
            (std::vector<std::string>{"translations", "translations/notes.txt"}));
  std::filesystem::remove(run / "translations/notes.txt");
  remove_test_texts(run.path());
  EXPECT_TRUE(names_in(run.path()).empty());
}

}  // namespace
}  // namespace heed
