#include "network/top_k.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "text/vocabulary.h"

namespace heed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Few different values, so that most ranks are contested.
Tensor contested(int64_t rows, int64_t size, uint64_t seed) {
  RandomStream random(seed);
  Tensor values = torch::empty({rows, size}, torch::kDouble);
  for (int64_t i = 0; i < values.numel(); ++i)
    values.view(-1)[i] = -static_cast<double>(random.below(12)) / 4;
  return values;
}

void expect_best(const TopK& best, const Tensor& values, int64_t count) {
  ASSERT_EQ(best.count, count);
  const Tensor exact = values.to(torch::kDouble).contiguous();
  for (int64_t row = 0; row < exact.size(0); ++row) {
    std::vector<std::pair<double, int32_t>> expected;
    for (int64_t id = 0; id < exact.size(1); ++id)
      expected.emplace_back(-exact[row][id].item<double>(), id);
    std::sort(expected.begin(), expected.end());
    for (int64_t k = 0; k < count; ++k) {
      EXPECT_EQ(best.log_probability[row * count + k], -expected[k].first);
      EXPECT_EQ(best.id[row * count + k], expected[k].second) << "row " << row << " rank " << k;
    }
  }
}

TEST(TopK, IsTheSortedRowWithTiesByTheLowerId) {
  for (const int64_t size : {5, 63, 64, 65, 300}) {
    for (const int64_t count : {int64_t{1}, int64_t{4}, std::min<int64_t>(size, 14)}) {
      const Tensor values = contested(3, size, size * 100 + count);
      expect_best(top_k(values, count), values, count);
      expect_best(top_k(values.to(torch::kFloat), count), values, count);
      expect_best(top_k_by_sorting(values, count), values, count);
    }
  }
}

TEST(TopK, TakesHalfPrecisionAndStrides) {
  const Tensor values = contested(4, 70, 5);
  expect_best(top_k(values.to(torch::kBFloat16), 6), values, 6);
  expect_best(top_k(values.t().contiguous().t(), 6), values, 6);
}

TEST(TopK, GivesNoMoreThanThereAre) {
  const Tensor values = contested(2, 7, 1);
  expect_best(top_k(values, 20), values, 7);
  expect_best(top_k_by_sorting(values, 20), values, 7);
}

TEST(TopK, LeavesOutWhatIsImpossible) {
  Tensor values = torch::full({1, 6}, -kInfinity, torch::kDouble);
  values[0][4] = -1.0;
  for (const TopK& best : {top_k(values, 3), top_k_by_sorting(values, 3)}) {
    EXPECT_EQ(best.id, (std::vector<int32_t>{4, -1, -1}));
    EXPECT_EQ(best.log_probability, (std::vector<double>{-1, -kInfinity, -kInfinity}));
  }
}

TEST(TopK, RefusesWhatIsNoNumber) {
  Tensor values = contested(2, 100, 2);
  values[1][77] = std::numeric_limits<double>::quiet_NaN();
  for (const auto type : {torch::kDouble, torch::kFloat}) {
    const Tensor typed = values.to(type);
    for (const auto& take : {top_k, top_k_by_sorting}) {
      try {
        take(typed, 3);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kModel);
      }
    }
  }
}

}  // namespace
}  // namespace heed
