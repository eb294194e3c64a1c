#include "sweep/self_training.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Texts = std::vector<std::vector<std::string>>;

TEST(AgreedTranslation, IsThatOfTheWantedFractionOfTheRuns) {
  EXPECT_EQ(agreed_translation(Texts{{"a"}, {"a"}, {"a"}}, 1), "a");
  EXPECT_EQ(agreed_translation(Texts{{"a"}, {"a"}, {"b"}}, 1), std::nullopt);
  EXPECT_EQ(agreed_translation(Texts{{"a"}, {"b"}, {"b"}}, 0.6), "b");
  EXPECT_EQ(agreed_translation(Texts{{"a"}, {"b"}, {"c"}}, 0.6), std::nullopt);
  // 2 of 3 are not less than two thirds, though 2.0 / 3 is rounded.
  EXPECT_EQ(agreed_translation(Texts{{"a"}, {"b"}, {"b"}}, 2.0 / 3), "b");
}

TEST(AgreedTranslation, MayBeAmongSeveralOfEachRun) {
  EXPECT_EQ(agreed_translation(Texts{{"a", "b"}, {"b", "c"}, {"d", "b"}}, 1), "b");
  // Both have two votes; "b" has the better places.
  EXPECT_EQ(agreed_translation(Texts{{"b", "a"}, {"b", "a"}}, 1), "b");
  // A run votes once for a text that it writes twice.
  EXPECT_EQ(agreed_translation(Texts{{"a", "a"}, {"b", "c"}}, 1), std::nullopt);
}

TEST(AgreedTranslation, IsNeverEmpty) {
  EXPECT_EQ(agreed_translation(Texts{{""}, {""}}, 1), std::nullopt);
  EXPECT_EQ(agreed_translation(Texts{{}, {}}, 0.5), std::nullopt);
  EXPECT_EQ(agreed_translation(Texts{{"", "a"}, {"a"}}, 1), "a");
}

}  // namespace
}  // namespace heed
