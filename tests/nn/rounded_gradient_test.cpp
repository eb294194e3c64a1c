#include "nn/rounded_gradient.h"

#include <gtest/gtest.h>

#include "nn/compare.h"
#include "nn/feed_forward.h"
#include "nn/initialize.h"
#include "nn/kernel_path.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/step_linear.h"
#include "nn/torch.h"

namespace heed {
namespace {

Tensor floats_of(c10::IntArrayRef shape, const std::string& name) {
  return uniform(shape, name).to(torch::kFloat);
}

// Values that no rounding has.
struct RoundedGradientTest : testing::Test {
  const RoundedAndSum other{torch::full({3, 4}, 7, torch::kBFloat16), torch::full({4}, 5.0F)};
  const Tensor x = floats_of({3, 4}, "x");
  RoundedGradient shared;
};

TEST_F(RoundedGradientTest, IsTakenOnce) {
  shared.put(x, other);
  const RoundedAndSum known = shared.take(x);
  EXPECT_TRUE(known.rounded.is_same(other.rounded));
  EXPECT_TRUE(known.sum.is_same(other.sum));
  EXPECT_FALSE(shared.take(x).rounded.defined());
}

TEST_F(RoundedGradientTest, IsThatOfTheSameTensor) {
  for (const Tensor& y : {x.clone(), x.narrow(0, 0, 2), x.t(), x.view({4, 3})}) {
    shared.put(x, other);
    EXPECT_FALSE(shared.take(y).rounded.defined());
    EXPECT_FALSE(shared.take(x).rounded.defined()) << "one look removes it";
  }
}

TEST_F(RoundedGradientTest, EndsWithAChangeOfTheTensor) {
  shared.put(x, other);
  x.add_(1);
  EXPECT_FALSE(shared.take(x).rounded.defined());
}

// The operations that read their gradient in bfloat16 find what is put; with another gradient they
// round it themselves.
TEST_F(RoundedGradientTest, OfOperationsInBf16) {
  FeedForward layer(4, 6, Activation::kRelu, 0);
  initialize(layer, {}, 1);
  const Tensor weight = floats_of({4, 4}, "weight").requires_grad_(),
               bias = floats_of({4}, "bias").requires_grad_(),
               input = floats_of({3, 4}, "input").requires_grad_();
  const Bf16Scope scope(true);
  const Tensor by_y = floats_of({3, 4}, "by_y"), by_linear = heed::linear(input, weight, bias);
  const RoundedGradientPointer of_linear = rounded_gradient_of_linear(by_linear);
  ASSERT_TRUE(of_linear);
  of_linear->put(by_y, other);
  const auto grad_of_bias = [&](const Tensor& gradient) {
    bias.mutable_grad().reset();
    by_linear.backward(gradient, /*retain_graph=*/true);
    return bias.grad();
  };
  EXPECT_TRUE(grad_of_bias(by_y).equal(other.sum));
  EXPECT_TRUE(grad_of_bias(by_y).allclose(by_y.sum(0)));
  of_linear->put(by_y, other);
  EXPECT_TRUE(grad_of_bias(by_y + 1).allclose((by_y + 1).sum(0)));
  EXPECT_FALSE(rounded_gradient_of_linear(by_linear + 1));
  EXPECT_FALSE(rounded_gradient_of_linear(input));

  const Tensor by_layer = layer.forward(input, {});
  EXPECT_EQ(static_cast<bool>(rounded_gradient_of_feed_forward(by_layer)), takes_kernels(input));
  EXPECT_FALSE(rounded_gradient_of_feed_forward(by_linear));
}

TEST(RoundedGradient, OfNothingInFloat32) {
  const Tensor weight = floats_of({4, 4}, "weight").requires_grad_();
  EXPECT_FALSE(rounded_gradient_of_linear(heed::linear(floats_of({3, 4}, "x"), weight)));
}

// Steps with two products: of the same gradient, and of two.
TEST(RoundedGradient, OfStepLinears) {
  const Tensor by_input = floats_of({5, 4}, "by_input").requires_grad_(),
               by_state = floats_of({5, 5}, "by_state").requires_grad_(),
               bias = floats_of({5}, "bias").requires_grad_(), x = floats_of({3, 4}, "x");
  const Bf16Scope scope(true);
  for (const bool is_sum : {true, false}) {
    const auto gradients = [&](const RoundedGradientPointer& shared) {
      const StepLinear first(by_input, {}, shared), second(by_state, bias, shared);
      Tensor h = torch::zeros({3, 5});
      for (int step = 0; step < 4; ++step)
        h = is_sum ? (first(x) + second(h)).tanh() : first(x).sigmoid() * second(h).tanh();
      for (const Tensor& weight : {by_input, by_state, bias}) weight.mutable_grad().reset();
      h.square().sum().backward();
      return std::vector<Tensor>{by_input.grad(), by_state.grad(), bias.grad()};
    };
    const auto alone = gradients(nullptr),
               together = gradients(c10::make_intrusive<RoundedGradient>());
    for (size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(together[i].equal(alone[i])) << i;
  }
}

// The rounding by the kernel is that of to_bf16(). Other tensors are rounded by to_bf16().
TEST(RoundedInput, IsTheRoundingOfTheInput) {
  LayerNorm norm(4);
  initialize(norm, {}, 1);
  const Tensor x = floats_of({2, 3, 4}, "x").requires_grad_();
  const auto expect_rounded = [](const Tensor& y) {
    EXPECT_TRUE(rounded_input(y).equal(y.to(torch::kBFloat16)));
  };
  {
    const Bf16Scope scope(true);
    const auto [normed, own] = norm.branches(x);
    EXPECT_EQ(rounded_input(normed).is_same(rounded_input(normed)), takes_kernels(x))
        << "rounded once";
    expect_rounded(normed);
    expect_rounded(own);  // a result of the same operation
    expect_rounded(normed.transpose(0, 1));
    expect_rounded(normed.add_(1));
    const torch::NoGradGuard no_grad;
    expect_rounded(norm(x));
  }
  expect_rounded(norm(x));
}

}  // namespace
}  // namespace heed
