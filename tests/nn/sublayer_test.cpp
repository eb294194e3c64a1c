// Layer normalization, residual connection and feed-forward layer by kernels equal libtorch's
// operations, in values and gradients.
#include <gtest/gtest.h>

#include "base/fast_paths.h"
#include "nn/compare.h"
#include "nn/feed_forward.h"
#include "nn/initialize.h"
#include "nn/kernel_path.h"
#include "nn/layer_norm.h"
#include "nn/product.h"
#include "nn/residual.h"
#include "nn/torch.h"

namespace heed {
namespace {

Tensor leaf(c10::IntArrayRef shape, const std::string& name) {
  return uniform(shape, name, 2).to(torch::kFloat).requires_grad_();
}

// Gradients of the parameters and of x, which are zeroed before.
std::vector<Tensor> gradients(torch::nn::Module& module, const std::vector<Tensor>& inputs,
                              const Tensor& y) {
  module.zero_grad();
  for (Tensor x : inputs) x.mutable_grad() = Tensor();
  probed(y).backward();
  std::vector<Tensor> found;
  for (const Tensor& x : inputs) found.push_back(x.grad());
  for (const auto& parameter : module.parameters()) found.push_back(parameter.grad().clone());
  return found;
}

void expect_close_lists(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected,
                        double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    expect_close(actual[i], expected[i], tolerance, std::to_string(i));
}

TEST(LayerNorm, EqualsThatOfLibtorch) {
  LayerNorm norm(20);
  fill(norm);
  norm.to(torch::kFloat);
  const auto p = parameters_of(norm);
  const Tensor x = leaf({3, 5, 20}, "x");
  const auto expected = torch::layer_norm(x, {20}, p.at("weight"), p.at("bias"));
  const auto by_expected = gradients(norm, {x}, expected);
  const Tensor y = norm(x);
  expect_close(y, expected, 1e-5, "y");
  expect_close_lists(gradients(norm, {x}, y), by_expected, 1e-5);
  // The rows of this view are not contiguous.
  const Tensor part = leaf({3, 20, 5}, "part");
  expect_close(norm(part.transpose(1, 2)),
               torch::layer_norm(part.transpose(1, 2), {20}, p.at("weight"), p.at("bias")), 1e-5,
               "transposed");
  EXPECT_EQ(norm(torch::zeros({0, 20})).sizes(), (c10::IntArrayRef{0, 20}));
}

TEST(LayerNorm, SumsTheGradientsOfItsBranches) {
  LayerNorm norm(6);
  fill(norm);
  norm.to(torch::kFloat);
  const Tensor x = leaf({4, 6}, "x"), other = uniform({4, 6}, "other").to(torch::kFloat);
  const auto p = parameters_of(norm);
  const Tensor by_hand = torch::layer_norm(x, {6}, p.at("weight"), p.at("bias")) + x * other;
  const auto expected = gradients(norm, {x}, by_hand);
  const auto [normed, own] = norm.branches(x);
  EXPECT_TRUE(own.equal(x));
  expect_close_lists(gradients(norm, {x}, normed + own * other), expected, 1e-5);
  // Only one branch is used.
  norm.zero_grad();
  const Tensor alone = leaf({4, 6}, "x");
  norm.branches(alone).x.sum().backward();
  EXPECT_TRUE(alone.grad().equal(torch::ones({4, 6})));
}

TEST(AddDropped, IsTheSumWithDropout) {
  const Tensor x = leaf({3, 5, 20}, "x"), f = leaf({3, 5, 20}, "f");
  torch::nn::Module none;
  for (const double p : {0.0, 0.4}) {
    const auto pass = [] { return Pass::for_training(3, 5); };
    const Tensor expected = x + dropout(f, p, pass()), sum = add_dropped(x, f, p, pass());
    expect_close(sum, expected, 1e-6, "sum");  // the kernel's fused multiply-add rounds once
    expect_close_lists(gradients(none, {x, f}, sum), gradients(none, {x, f}, expected), 0);
  }
  EXPECT_TRUE(add_dropped(x, f, 0.4, Pass()).equal(x + f));
  const Tensor exact = uniform({2, 4}, "exact");
  EXPECT_TRUE(add_dropped(exact, exact, 0.4, Pass::for_training(1, 1))
                  .equal(exact + dropout(exact, 0.4, Pass::for_training(1, 1))));
}

// Both round the same factors to bfloat16, except for the sums of biases.
TEST(FeedForward, InBf16IsThatOfItsLayers) {
  for (const double p : {0.0, 0.3}) {
    FeedForward layer(12, 700, Activation::kRelu, p);
    initialize(layer, {}, 1);
    const auto w = parameters_of(layer);
    const Tensor x = leaf({60, 7, 12}, "x");  // more rows than a block
    const Bf16Scope scope(true);
    const Pass pass = Pass::for_training(3, 5), same = Pass::for_training(3, 5);
    const Tensor hidden = linear(x, w.at("inner.weight"), w.at("inner.bias")).relu();
    const Tensor expected =
        linear(dropout(hidden, p, pass), w.at("outer.weight"), w.at("outer.bias"));
    const auto by_expected = gradients(layer, {x}, expected);
    const Tensor y = layer.forward(x, same);
    EXPECT_EQ(y.grad_fn()->name().find("Bf16FeedForward") != std::string::npos, takes_kernels(x));
    expect_close(y, expected, 1e-5, "y");
    // Hidden sums near 0 may be rounded to either side of 0.
    expect_close_lists(gradients(layer, {x}, y), by_expected, 1e-3);
  }
}

// A residual step in bfloat16 has the gradient of its operations: the bfloat16 tensors that they
// share are right.
TEST(Residual, InBf16IsThatOfItsOperations) {
  for (const NormPlace place :
       {NormPlace::kPre, NormPlace::kPost, NormPlace::kDeep, NormPlace::kAdmin}) {
    Residual residual(16, place, 0.3);
    residual.deepen({.alpha = 1.7}, nullptr);
    if (residual.has_omega()) residual.set_omega(0.8);
    FeedForward inner(16, 24, Activation::kRelu, 0.2);
    initialize(residual, {}, 1);
    initialize(inner, {}, 2);
    const auto p = parameters_of(residual);
    const Tensor x = leaf({5, 7, 16}, "x");
    const auto norm = [&](const Tensor& in) {
      return torch::layer_norm(in, {16}, p.at("norm.weight"), p.at("norm.bias"));
    };
    const auto scaled = [&](const Tensor& in) {
      if (place == NormPlace::kDeep) return 1.7 * in;
      return place == NormPlace::kAdmin ? p.at("omega") * in : in;
    };
    const auto run = [&](bool plain) {
      const Bf16Scope scope(true);
      const Pass pass = Pass::for_training(3, 5);
      const auto f = [&](const Tensor& in) { return inner.forward(in, pass); };
      Tensor y;
      if (!plain) {
        y = residual.forward(x, pass, f);
      } else if (place == NormPlace::kPre) {
        y = x + dropout(f(norm(x)), 0.3, pass);
      } else {
        y = norm(scaled(x) + dropout(f(x), 0.3, pass));
      }
      inner.zero_grad();
      auto found = gradients(residual, {x}, y);
      for (const auto& parameter : inner.parameters()) found.push_back(parameter.grad().clone());
      found.push_back(y.detach());
      return found;
    };
    expect_close_lists(run(false), run(true), 2e-3);
  }
}

}  // namespace
}  // namespace heed
