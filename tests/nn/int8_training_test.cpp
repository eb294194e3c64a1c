#include "nn/int8_training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/packed_matrix.h"
#include "nn/compare.h"
#include "nn/linear.h"
#include "nn/numbers.h"
#include "nn/product.h"
#include "nn/step_linear.h"
#include "nn/target_log_softmax.h"
#include "nn/torch.h"
#include "nn/vocabulary_loss.h"

namespace heed {
namespace {

// Rows of unlike magnitude, one of zeros.
Tensor rows_of_numbers(int64_t rows, int64_t width, const std::string& name) {
  Tensor x = uniform({rows, width}, name).to(torch::kFloat);
  for (int64_t r = 0; r < rows; ++r) x[r].mul_(std::pow(10.0, static_cast<double>(r % 5) - 2));
  x[1].zero_();
  return x;
}

TEST(Int8Training, RoundsAsTheKernelsDo) {
  constexpr int64_t kRows = 7, kWidth = 37, kOutputs = 33;
  const Tensor x = rows_of_numbers(kRows, kWidth, "x"), w = rows_of_numbers(kOutputs, kWidth, "w");
  std::vector<uint8_t> bytes(kRows * kWidth);
  std::vector<float> scales(kRows);
  kernels().quantize(x.const_data_ptr<float>(), kRows, kWidth, kWidth, kWidth,
                     {bytes.data(), scales.data()});
  const auto rounded = numbers_of<float>(rounded_to_int8(x));
  for (size_t i = 0; i < rounded.size(); ++i)
    EXPECT_FLOAT_EQ(rounded[i], static_cast<float>(bytes[i] - 128) * scales[i / kWidth]) << i;

  const PackedMatrix packed(kernels(), Precision::kInt8, w.const_data_ptr<float>(), kOutputs,
                            kWidth);
  Tensor product = torch::empty({kRows, kOutputs});
  packed.product(x.const_data_ptr<float>(), kRows, product.mutable_data_ptr<float>());
  const Int8Scope scope(true);
  const Tensor own = heed::linear(x, w);
  EXPECT_TRUE(torch::allclose(own, product, 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(torch::linear(x, w), product, 1e-5, 1e-6));
}

TEST(Int8Training, GivesTheRangeTheGradientOfTheSteps) {
  constexpr int64_t kRows = 4, kWidth = 9;
  const Tensor x = rows_of_numbers(kRows, kWidth, "x").requires_grad_();
  const Tensor g = uniform({kRows, kWidth}, "g").to(torch::kFloat);
  (rounded_to_int8(x) * g).sum().backward();
  const auto values = numbers_of<float>(x.detach()), outer = numbers_of<float>(g),
             found = numbers_of<float>(x.grad());
  for (int64_t r = 0; r < kRows; ++r) {
    const auto at = static_cast<size_t>(r * kWidth);
    size_t largest = 0;
    for (size_t i = 1; i < kWidth; ++i) {
      if (std::fabs(values[at + i]) > std::fabs(values[at + largest])) largest = i;
    }
    const double step = std::fabs(values[at + largest]) / 127.0;
    double by_step = 0;
    for (size_t i = 0; step > 0 && i < kWidth; ++i) {
      const double in_steps = values[at + i] / step;
      by_step += outer[at + i] * (std::nearbyint(in_steps) - in_steps);
    }
    for (size_t i = 0; i < kWidth; ++i) {
      const double sign = values[at + i] < 0 ? -1 : 1;
      const double expected = outer[at + i] + (i == largest ? sign * by_step / 127 : 0);
      EXPECT_NEAR(found[at + i], expected, 1e-4) << r << ' ' << i;
    }
  }
}

TEST(Int8Training, IsInEveryProductOfTheScopeAlone) {
  const Tensor x = rows_of_numbers(6, 16, "x"), w = rows_of_numbers(12, 16, "w").requires_grad_(),
               b = uniform({12}, "b").to(torch::kFloat).requires_grad_();
  const Tensor targets = torch::arange(6);
  const Tensor read = rounded_to_int8(x), read_w = rounded_to_int8(w).detach().requires_grad_();
  const Tensor expected = torch::linear(read, read_w, b);
  const Tensor losses = torch::cross_entropy_loss(expected, targets, {}, at::Reduction::Sum);
  losses.backward();
  for (const bool bf16 : {false, true}) {
    const Bf16Scope outer(bf16);
    {
      const Int8Scope scope(true);
      EXPECT_FALSE(in_bf16(x));
      EXPECT_TRUE(torch::allclose(heed::linear(x, w, b), expected, 1e-5, 1e-6));
      EXPECT_TRUE(torch::allclose(StepLinear(w, b)(x), expected, 1e-5, 1e-6));
      const VocabularyLoss loss = vocabulary_loss(x, w, b, targets, 0);
      EXPECT_NEAR(loss.loss.item<double>(), losses.item<double>(), 1e-3);
      const Tensor found = target_log_softmax(x, w, b, targets).log_probs;
      EXPECT_NEAR(-found.sum().item<double>(), losses.item<double>(), 1e-3);
    }
    EXPECT_EQ(in_bf16(x), bf16);
    EXPECT_FALSE(torch::allclose(heed::linear(x, w, b), expected, 1e-5, 1e-6));
  }
}

// The gradients of StepLinear, of the loss and of linear() are those of torch on rounded factors.
TEST(Int8Training, HasTheGradientsOfRoundedFactors) {
  const Tensor targets = torch::arange(6);
  const auto leaf = [](const Tensor& x) { return x.detach().clone().requires_grad_(); };
  const Tensor x = rows_of_numbers(6, 16, "x"), w = rows_of_numbers(12, 16, "w");
  using Loss = std::function<Tensor(const Tensor&, const Tensor&)>;
  const auto gradients = [&](const Loss& loss) {
    const Tensor own_x = leaf(x), own_w = leaf(w);
    loss(own_x, own_w).backward();
    return std::pair(own_x.grad(), own_w.grad());
  };
  const auto entropy = [&](const Tensor& scores) {
    return torch::cross_entropy_loss(scores, targets, {}, at::Reduction::Sum);
  };
  const auto expected = gradients([&](const Tensor& own_x, const Tensor& own_w) {
    return entropy(torch::linear(rounded_to_int8(own_x), rounded_to_int8(own_w)));
  });
  const Int8Scope scope(true);
  for (const Loss& loss :
       std::vector<Loss>{[&](const Tensor&own_x, const Tensor&own_w) {
                           return entropy(heed::linear(own_x, own_w));
                         },
                         [&](const Tensor&own_x, const Tensor&own_w) {
                           return entropy(StepLinear(own_w)(own_x));
                         },
                         [&](const Tensor&own_x, const Tensor&own_w) {
                           return vocabulary_loss(own_x, own_w, {}, targets, 0).loss;
                         }}) {
    const auto found = gradients(loss);
    EXPECT_TRUE(torch::allclose(found.first, expected.first, 1e-4, 1e-5));
    EXPECT_TRUE(torch::allclose(found.second, expected.second, 1e-4, 1e-5));
  }
}

}  // namespace
}  // namespace heed
