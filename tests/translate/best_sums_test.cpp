#include "translate/best_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace heed {
namespace {

using Scores = std::vector<std::vector<double>>;
using Choices = std::vector<std::vector<size_t>>;

double sum_of(const Scores& scores, const std::vector<size_t>& choice) {
  double sum = 0;
  for (size_t i = 0; i < choice.size(); ++i) sum += scores[i][choice[i]];
  return sum;
}

// Every choice there is, the greatest sum first.
Choices all_choices(const Scores& scores) {
  Choices all{{}};
  for (const auto& own : scores) {
    Choices longer;
    for (const auto& choice : all) {
      for (size_t item = 0; item < own.size(); ++item) {
        longer.push_back(choice);
        longer.back().push_back(item);
      }
    }
    all = longer;
  }
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [&](const auto& choice) { return sum_of(scores, choice); });
  return all;
}

TEST(BestSums, AreThoseOfAllChoices) {
  RandomStream random(stream_key(1, "best sums"));
  for (int round = 0; round < 50; ++round) {
    Scores scores(1 + random.below(4));
    for (auto& own : scores) {
      own.resize(1 + random.below(4));
      for (double& score : own) score = -static_cast<double>(random.below(1'000'000)) / 1e5;
      std::ranges::sort(own, std::ranges::greater());
    }
    Choices expected = all_choices(scores);
    const size_t most = 1 + random.below(6);
    if (expected.size() > most) expected.resize(most);
    EXPECT_EQ(best_sums(scores, most), expected);
  }
}

TEST(BestSums, PreferEarlierItems) {
  EXPECT_EQ(best_sums({{0, 0}, {0, 0}}, 3), (Choices{{0, 0}, {0, 1}, {1, 0}}));
}

TEST(BestSums, OfManyListsAreFound) {
  const Scores scores(10'000, {-1, -2, -3});
  const Choices found = best_sums(scores, 2);
  EXPECT_EQ(sum_of(scores, found[0]), -10'000);
  EXPECT_EQ(sum_of(scores, found[1]), -10'001);
}

}  // namespace
}  // namespace heed
