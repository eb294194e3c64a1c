#include "search/coverage.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <cmath>

#include "search/random_models.h"

namespace heed {
namespace {

// Rows of weights over the places of the source, as one step of a batch.
Tensor step(const std::vector<std::vector<float>>& rows) {
  std::vector<Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(torch::tensor(row));
  return torch::stack(tensors).unsqueeze(1);  // [R,1,S]
}

Coverage of(const std::vector<Ids>& sentences) {
  return Coverage(sources_of(sentences).named.at("source"));
}

TEST(Coverage, SumsTheLogarithmsOfWhatEachPieceGotButNoMoreThanOne) {
  Coverage coverage = of({{4, 5}});
  EXPECT_NEAR(coverage.add(step({{0.5, 0.25, 0.25}}))[0], std::log(0.5) + std::log(0.25), 1e-6);
  EXPECT_NEAR(coverage.add(step({{0.75, 0.125, 0.125}}))[0], std::log(0.375), 1e-6);  // 1.25 is 1
  EXPECT_NEAR(coverage.add(step({{0, 1, 0}}))[0], 0, 1e-6);
}

TEST(Coverage, CountsNeitherTheEndNorPadding) {
  Coverage coverage = of({{4, 5, 6}, {4}});
  const auto sums = coverage.add(step({{0.2, 0.3, 0.4, 0.1}, {0.5, 0.5, 0, 0}}));
  EXPECT_NEAR(sums[0], std::log(0.2) + std::log(0.3) + std::log(0.4), 1e-6);
  EXPECT_NEAR(sums[1], std::log(0.5), 1e-6);
}

TEST(Coverage, OfAPlaceThatIsNeverReadIsThatOfAMillionth) {
  Coverage coverage = of({{4, 5}});
  EXPECT_NEAR(coverage.add(step({{1, 0, 0}}))[0], -6 * std::log(10.0), 1e-9);
  EXPECT_NEAR(coverage.add(step({{1, 1e-9F, 0}}))[0], -6 * std::log(10.0), 1e-9);
}

TEST(Coverage, GoesWithTheHypotheses) {
  Coverage coverage = of({{4}, {5}});
  coverage.add(step({{0.125, 0.875}, {0.25, 0.75}}));
  coverage.take(torch::tensor({0, 0, 1, 1}, torch::kLong));
  const Tensor nothing = step({{0, 0}, {0, 0}, {0, 0}, {0, 0}});
  auto sums = coverage.add(nothing);
  ASSERT_EQ(sums.size(), 4);
  EXPECT_NEAR(sums[1], std::log(0.125), 1e-9);
  EXPECT_NEAR(sums[2], std::log(0.25), 1e-9);
  coverage.add(step({{0, 0}, {0, 0}, {0.25, 0}, {0, 0}}));
  coverage.take(torch::tensor({3, 2}, torch::kLong));
  sums = coverage.add(step({{0, 0}, {0, 0}}));
  ASSERT_EQ(sums.size(), 2);
  EXPECT_NEAR(sums[0], std::log(0.25), 1e-9);
  EXPECT_NEAR(sums[1], std::log(0.5), 1e-9);
}

}  // namespace
}  // namespace heed
