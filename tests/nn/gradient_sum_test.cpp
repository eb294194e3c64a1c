// A tensor that each time step reads has the gradient that autograd sums step by step.
#include "nn/gradient_sum.h"

#include <gtest/gtest.h>

#include <functional>

#include "nn/attention/scores/additive.h"
#include "nn/compare.h"
#include "nn/torch.h"

namespace heed {
namespace {

constexpr int64_t kRows = 3, kHeads = 2, kKeys = 7, kWidth = 5, kSteps = 4;

using Read = std::function<Tensor(const Tensor& x, int64_t step)>;

Tensor given(c10::IntArrayRef shape, const std::string& name, int64_t step) {
  return uniform(shape, name + std::to_string(step), 2);
}

// The gradient of x [R,H,S,D] that each step reads, then other operations if `more`, and that of
// what the steps begin with.
std::vector<Tensor> walk(const Read& read, bool summed, bool more) {
  const Tensor from = uniform({kRows, kHeads, kKeys, kWidth}, "x", 2).requires_grad_();
  const Tensor begin = uniform({}, "begin", 2).requires_grad_();
  const Tensor whole = from * 2, x = summed ? with_gradient_sum(whole) : whole;
  EXPECT_EQ(gradient_sum_of(x) != nullptr, summed);
  EXPECT_TRUE(x.equal(whole));
  Tensor past = begin;
  for (int64_t step = 0; step < kSteps; ++step) {
    const Tensor y = read(x * 1, step), z = read(x, step) * past;
    past = past + probed(z, std::to_string(step)) + (more ? 0.1 * probed(y) : torch::zeros({}));
  }
  past.backward();
  return {past.detach(), from.grad(), begin.grad()};
}

TEST(GradientSum, OfProductsIsThatOfAutograd) {
  const Read values = [](const Tensor& x, int64_t step) {
    return step_product(given({kRows, kHeads, 2, kKeys}, "weights", step), x);
  };
  const Read keys = [](const Tensor& x, int64_t step) {
    return step_product_transposed(given({kRows, kHeads, 1, kWidth}, "queries", step), x);
  };
  for (const Read& read : {values, keys}) {
    for (const bool more : {false, true}) {
      const auto expected = walk(read, false, more), actual = walk(read, true, more);
      for (size_t i = 0; i < expected.size(); ++i)
        expect_close(actual[i], expected[i], 1e-12, std::to_string(i));
    }
  }
}

TEST(GradientSum, OfTheOtherFactorIsThatOfAutograd) {
  for (const bool transposed : {false, true}) {
    const auto by_factor = [&](bool summed) {
      const Tensor a = uniform({2, 3, transposed ? 5 : 4}, "a").requires_grad_(),
                   b = uniform({2, 4, 5}, "b").requires_grad_();
      const Tensor x = summed ? with_gradient_sum(b) : b;
      probed(transposed ? step_product_transposed(a, x) : step_product(a, x)).backward();
      return std::vector<Tensor>{a.grad(), b.grad()};
    };
    const auto expected = by_factor(false), actual = by_factor(true);
    expect_close(actual[0], expected[0], 1e-12, "a");
    expect_close(actual[1], expected[1], 1e-12, "b");
  }
}

TEST(GradientSum, OfAdditiveKeysIsThatOfAutograd) {
  const Tensor v = uniform({kHeads, kWidth}, "v").to(torch::kFloat);
  const auto by_keys = [&](bool summed) {
    const Tensor keys =
        uniform({kRows, kHeads, kKeys, kWidth}, "x", 2).to(torch::kFloat).requires_grad_();
    const Tensor x = summed ? with_gradient_sum(keys) : keys;
    Tensor sum = torch::zeros({});
    for (int64_t step = 0; step < kSteps; ++step) {
      const Tensor queries = given({kRows, kHeads, 1, kWidth}, "queries", step).to(torch::kFloat);
      sum = sum + probed(additive_scores(queries, x, v), std::to_string(step));
    }
    sum.backward();
    return keys.grad();
  };
  expect_close(by_keys(true), by_keys(false), 1e-5, "keys");
}

TEST(GradientSum, WithoutGradientThereIsNone) {
  const Tensor constant = uniform({2, 3, 4}, "x");
  EXPECT_TRUE(with_gradient_sum(constant).is_same(constant));
  Tensor learned = uniform({2, 3, 4}, "x").requires_grad_();
  EXPECT_EQ(gradient_sum_of(learned), nullptr);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(with_gradient_sum(learned).is_same(learned));
}

}  // namespace
}  // namespace heed
