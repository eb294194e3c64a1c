#include "distill/best_translation.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "metric/registry.h"

namespace heed {
namespace {

TEST(BestTranslation, IsMostLikeTheReference) {
  const auto chrf = make_metric("chrf", of_sentences());
  const std::vector<Candidate> candidates{
      {"the dog sleeps", -1}, {"the cat sleeps", -2}, {"a cat sleeps", -3}};
  EXPECT_EQ(best_candidate(candidates, "the cat sleeps", chrf.get()), 1u);
  EXPECT_EQ(best_candidate(candidates, "a cat sleeps", chrf.get()), 2u);
  EXPECT_EQ(best_candidate(candidates, "a cat sleeps", nullptr), 0u);
  EXPECT_EQ(best_candidate(candidates, "", chrf.get()), 0u);
  // Ties go to the teacher's better one.
  EXPECT_EQ(best_candidate({{"b", -1}, {"c", -2}}, "a", chrf.get()), 0u);
  EXPECT_EQ(best_candidate({{"b", -1}, {"a", -2}, {"a", -3}}, "a", chrf.get()), 1u);
}

class ChosenTranslations : public testing::Test {
 protected:
  ChosenTranslations() {
    write_plainly(files_.nbest,
                  R"({"line":1,"translations":[{"text":"x y","log_probability":-1.5},)"
                  R"({"text":"a b","log_probability":-2.25}]})"
                  "\n"
                  R"({"line":2,"translations":[{"text":"c","log_probability":-0.5}]})"
                  "\n");
    write_plainly(files_.reference, "a b\n\n");
  }
  TemporaryFolder folder_;
  ChoiceFiles files_{.nbest = folder_ / "nbest.jsonl",
                     .reference = folder_ / "reference",
                     .target = folder_ / "target",
                     .scores = folder_ / "scores"};
};

TEST_F(ChosenTranslations, AreWrittenWithTheirLogProbabilities) {
  EXPECT_EQ(choose_translations(files_, "bleu"), 1);
  EXPECT_EQ(read_plainly(files_.target), "a b\nc\n");
  EXPECT_EQ(read_plainly(files_.scores), "-2.25\n-0.5\n");
  EXPECT_EQ(choose_translations(files_, std::nullopt), 0);
  EXPECT_EQ(read_plainly(files_.target), "x y\nc\n");
  EXPECT_EQ(read_plainly(files_.scores), "-1.5\n-0.5\n");
}

TEST_F(ChosenTranslations, NeedAsManyReferences) {
  write_plainly(files_.reference, "a b\n");
  EXPECT_THROW(choose_translations(files_, "bleu"), Error);
  EXPECT_FALSE(std::filesystem::exists(files_.target));
}

}  // namespace
}  // namespace heed
