#include "nn/step_linear.h"

#include <gtest/gtest.h>

#include "nn/compare.h"
#include "nn/torch.h"

namespace heed {
namespace {

struct Result {
  Tensor outputs, by_weight, by_bias, by_input;
};

// Runs h' = tanh(linear(h)) for five steps; each step but one adds to the loss, with a different
// weight.
template <class Linear>
Result walk(const Tensor& weight, const Tensor& bias, const Tensor& input, const Linear& linear) {
  for (const Tensor& tensor : {weight, bias, input}) tensor.mutable_grad().reset();
  Tensor h = input, loss = torch::zeros({}, torch::kDouble);
  std::vector<Tensor> outputs;
  for (int step = 0; step < 5; ++step) {
    h = linear(h).tanh();
    outputs.push_back(h);
    if (step != 3) loss = loss + (h * h).sum() * (step + 1);
  }
  loss.backward();
  return {torch::stack(outputs).detach(), weight.grad(), bias.grad(), input.grad()};
}

struct StepLinearTest : testing::Test {
  Tensor weight = uniform({4, 4}, "weight").requires_grad_();
  Tensor bias = uniform({4}, "bias").requires_grad_();
  Tensor input = uniform({3, 4}, "input").requires_grad_();
};

TEST_F(StepLinearTest, EqualsLinear) {
  const Result plain =
      walk(weight, bias, input, [&](const Tensor& x) { return torch::linear(x, weight, bias); });
  for (int round = 0; round < 2; ++round) {
    const Result ours = walk(weight, bias, input, StepLinear(weight, bias));
    expect_close(ours.outputs, plain.outputs, 1e-14, "outputs");
    expect_close(ours.by_weight, plain.by_weight, 1e-12, "by weight");
    expect_close(ours.by_bias, plain.by_bias, 1e-12, "by bias");
    expect_close(ours.by_input, plain.by_input, 1e-12, "by input");
  }
}

TEST_F(StepLinearTest, OfASliceGivesItsGradientToTheWhole) {
  const Tensor whole = uniform({4, 6}, "whole").requires_grad_();
  const StepLinear linear(whole.narrow(1, 2, 4));
  linear(input).sum().backward();
  EXPECT_TRUE(whole.grad().narrow(1, 0, 2).eq(0).all().item<bool>());
  expect_close(whole.grad().narrow(1, 2, 4), input.detach().sum(0).expand({4, 4}), 1e-14, "slice");
}

TEST_F(StepLinearTest, OfAFrozenWeightEqualsLinear) {
  for (const bool has_frozen_bias : {false, true}) {
    weight.requires_grad_(false);
    bias.requires_grad_(!has_frozen_bias);
    const Result plain =
        walk(weight, bias, input, [&](const Tensor& x) { return torch::linear(x, weight, bias); });
    const Result ours = walk(weight, bias, input, StepLinear(weight, bias));
    EXPECT_FALSE(ours.by_weight.defined());
    EXPECT_EQ(ours.by_bias.defined(), !has_frozen_bias);
    if (!has_frozen_bias) expect_close(ours.by_bias, plain.by_bias, 1e-12, "by bias");
    expect_close(ours.by_input, plain.by_input, 1e-12, "by input");
  }
}

TEST_F(StepLinearTest, WithoutGradientIsLinear) {
  const torch::NoGradGuard guard;
  const Tensor y = StepLinear(weight, bias)(input);
  EXPECT_FALSE(y.requires_grad());
  EXPECT_TRUE(y.equal(torch::linear(input, weight, bias)));
}

TEST_F(StepLinearTest, StepsThatNobodyUsesCountNothing) {
  const StepLinear linear(weight, bias);
  linear(input);
  (linear(input) * 0 + input).sum().backward();
  EXPECT_TRUE(weight.grad().eq(0).all().item<bool>());
  EXPECT_TRUE(input.grad().eq(1).all().item<bool>());
}

}  // namespace
}  // namespace heed
