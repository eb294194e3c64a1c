#include "nn/product.h"

#include <gtest/gtest.h>

#include "nn/compare.h"
#include "nn/linear.h"
#include "nn/step_linear.h"
#include "nn/torch.h"
#include "nn/vocabulary_loss.h"

namespace heed {
namespace {

Tensor single(c10::IntArrayRef shape, const std::string& name) {
  return uniform(shape, name).to(torch::kFloat);
}

// The values as bfloat16, in double precision.
Tensor exact(const Tensor& x) { return to_bf16(x).to(torch::kDouble); }

TEST(Product, RoundsAsLibtorchDoes) {
  const Tensor x = single({3, 7, 19}, "x") * 1e3;
  EXPECT_TRUE(to_bf16(x).equal(x.to(torch::kBFloat16)));
  EXPECT_TRUE(to_bf16(x.transpose(0, 2)).equal(x.to(torch::kBFloat16).transpose(0, 2)));
  EXPECT_TRUE(to_bf16(torch::full({2}, NAN)).isnan().all().item<bool>());
}

TEST(Product, OfBf16IsSummedInSinglePrecision) {
  for (const auto& [n, k, m] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 1, 1}, {1, 5, 3}, {7, 1, 2}, {33, 130, 17}, {64, 1000, 1}, {3, 600, 40}}) {
    const Tensor a = single({n, k}, "a"), b = single({k, m}, "b");
    const Tensor expected = exact(a).mm(exact(b));
    for (const bool a_across : {false, true}) {
      for (const bool b_across : {false, true}) {
        const Tensor left = a_across ? to_bf16(a.t().contiguous()).t() : to_bf16(a);
        const Tensor right = b_across ? to_bf16(b.t().contiguous()).t() : to_bf16(b);
        const Tensor result = product(left, right);
        EXPECT_EQ(result.scalar_type(), torch::kFloat);
        expect_close(result.to(torch::kDouble), expected, 1e-6 * static_cast<double>(k), "product");
        Tensor sum = torch::ones({n, m});
        add_product(sum, left, right);
        expect_close(sum.to(torch::kDouble), expected + 1, 1e-6 * static_cast<double>(k), "sum");
      }
    }
  }
}

TEST(Product, OfPartsOfAMatrix) {
  const Tensor whole = to_bf16(single({20, 30}, "whole")), b = to_bf16(single({10, 8}, "b"));
  const Tensor rows = whole.narrow(0, 3, 5).narrow(1, 7, 10);
  expect_close(product(rows, b).to(torch::kDouble),
               rows.to(torch::kDouble).mm(b.to(torch::kDouble)), 1e-5, "narrowed");
}

TEST(Product, OfNothing) {
  const Tensor none = to_bf16(torch::zeros({0, 4})), b = to_bf16(single({4, 3}, "b"));
  EXPECT_EQ(product(none, b).sizes(), (c10::IntArrayRef{0, 3}));
  EXPECT_TRUE(product(none.t(), to_bf16(torch::zeros({0, 3}))).equal(torch::zeros({4, 3})));
}

TEST(Product, OfAPackedFactorIsTheSame) {
  for (const auto& [n, k, m] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 2, 3}, {7, 34, 50}, {30, 5, 17}, {3, 64, 32}, {0, 4, 4}}) {
    const Tensor a = to_bf16(single({n, k}, "a")), bias = single({m}, "bias");
    const Tensor rows = to_bf16(single({k, m}, "b")), columns = rows.t().contiguous().t();
    for (const Tensor& b : {rows, columns}) {
      const Tensor plain = product(a, b), with_bias = product(a, b, bias);
      EXPECT_EQ(product(a, PackedFactor(b)).scalar_type(), torch::kFloat);
      expect_close(product(a, PackedFactor(b)), plain, 1e-5, "without bias");
      expect_close(product(a, PackedFactor(b), bias), with_bias, 1e-5, "with bias");
      Tensor result = torch::full({n, m}, 7.0F);
      set_product(result, a, PackedFactor(b));
      expect_close(result, plain, 1e-5, "set");
    }
  }
  const Tensor wide = to_bf16(single({40, 30}, "wide")), right = to_bf16(single({9, 20}, "right"));
  for (const Tensor& part : {wide.narrow(1, 3, 9), wide.t().narrow(1, 2, 9)})
    expect_close(product(part, PackedFactor(right)), product(part, right), 1e-5, "of a part");
  const Tensor buffer = to_bf16(single({5, 18}, "buffer")).narrow(1, 0, 9);  // as in the loss
  expect_close(product(buffer, PackedFactor(right)), product(buffer, right), 1e-5, "odd and apart");
  const Tensor a = uniform({3, 4}, "a"), b = uniform({4, 5}, "b");
  EXPECT_TRUE(product(a, PackedFactor(b)).equal(a.mm(b)));
}

// Adds to a sum as for the gradient of a weight: a whole matrix or a part, an even and an odd
// number of tokens.
TEST(Product, ByKernelIsAddedToTheSum) {
  if (!has_bf16_products()) GTEST_SKIP() << "no products of bfloat16";
  for (const auto& [n, k, m] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {64, 64, 64}, {100, 71, 33}, {2100, 40, 48}, {3, 2, 1}}) {
    const Tensor a = to_bf16(single({k, n + 5}, "a")).narrow(1, 2, n).t(),
                 b = to_bf16(single({k, m}, "b"));
    const Tensor expected = 1 + a.to(torch::kDouble).mm(b.to(torch::kDouble));
    for (const int64_t beside : {0, 7}) {
      const Tensor whole = torch::ones({n, m + beside});
      Tensor sum = whole.narrow(1, 0, m);
      add_product_by_kernel(sum, a, b);
      expect_close(sum.to(torch::kDouble), expected, 1e-4, "sum");
      EXPECT_TRUE(whole.narrow(1, m, beside).eq(1).all().item<bool>()) << "written beside it";
    }
  }
}

TEST(Product, OfManyRowsWithABias) {
  const Tensor a = to_bf16(single({700, 6}, "a")), b = to_bf16(single({6, 600}, "b")),
               bias = single({600}, "bias");
  expect_close(product(a, b, bias), product(a, b) + bias, 1e-5, "in blocks");
}

TEST(Product, IsThatOfFloatsOutsideOfTheScope) {
  const Tensor x = single({2, 3}, "x");
  EXPECT_FALSE(in_bf16(x));
  {
    const Bf16Scope scope(true);
    EXPECT_TRUE(in_bf16(x));
    EXPECT_FALSE(in_bf16(x.to(torch::kDouble)));
    const Bf16Scope inner(false);
    EXPECT_FALSE(in_bf16(x));
  }
  EXPECT_FALSE(in_bf16(x));
}

struct Layer {
  Tensor weight = single({6, 4}, "weight").requires_grad_(),
         bias = single({6}, "bias").requires_grad_(), x = single({2, 5, 4}, "x").requires_grad_();
  Tensor by_y = single({2, 5, 6}, "by_y");

  void expect_formula(const Tensor& y) {
    EXPECT_EQ(y.scalar_type(), torch::kFloat);
    const Tensor rows = exact(x.detach()).flatten(0, 1), by_rows = exact(by_y).flatten(0, 1);
    const Tensor expected = rows.mm(exact(weight.detach()).t()) + bias.detach().to(torch::kDouble);
    expect_close(y.detach().flatten(0, 1).to(torch::kDouble), expected, 1e-6, "y");
    y.backward(by_y);  // after the scope
    expect_close(x.grad().flatten(0, 1).to(torch::kDouble), by_rows.mm(exact(weight.detach())),
                 1e-5, "by x");
    expect_close(weight.grad().to(torch::kDouble), by_rows.t().mm(rows), 1e-5, "by weight");
    EXPECT_EQ(bias.grad().scalar_type(), torch::kFloat);
    // The bias may sum the gradient before or after its rounding.
    expect_close(bias.grad(), by_y.flatten(0, 1).sum(0), 0.05, "by bias");
  }
};

TEST(Bf16Scope, OfLinear) {
  Layer layer;
  Tensor y;
  {
    const Bf16Scope scope(true);
    y = heed::linear(layer.x, layer.weight, layer.bias);
  }
  layer.expect_formula(y);
}

TEST(Bf16Scope, OfStepLinear) {
  Layer layer;
  Tensor y;
  {
    const Bf16Scope scope(true);
    const StepLinear step(layer.weight, layer.bias);
    y = torch::stack(
        {step(layer.x.select(1, 0)), step(layer.x.select(1, 1)), step(layer.x.select(1, 2)),
         step(layer.x.select(1, 3)), step(layer.x.select(1, 4))},
        1);
  }
  layer.expect_formula(y);
}

TEST(Bf16Scope, OfALinearThatWantsNoGradientOfX) {
  Layer layer;
  const Bf16Scope scope(true);
  heed::linear(layer.x.detach(), layer.weight, Tensor()).sum().backward();
  EXPECT_TRUE(layer.weight.grad().defined());
}

TEST(Bf16Scope, LossIsThatOfRoundedFactors) {
  const Tensor hidden = single({300, 16}, "hidden"), weight = single({40, 16}, "weight"),
               bias = single({40}, "bias");
  const Tensor targets = torch::arange(300).remainder(40);
  const auto loss = [&](torch::ScalarType type, bool rounds) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : {hidden, weight, bias}) {
      const bool is_factor = x.dim() == 2;
      leaves.push_back((rounds && is_factor ? exact(x).to(type) : x.to(type)).requires_grad_());
    }
    const Bf16Scope scope(type == torch::kFloat);
    const auto result = vocabulary_loss(leaves[0], leaves[1], leaves[2], targets, 0.1);
    result.loss.backward();
    return std::vector<Tensor>{
        result.loss.detach().to(torch::kDouble), leaves[0].grad().to(torch::kDouble),
        leaves[1].grad().to(torch::kDouble), leaves[2].grad().to(torch::kDouble)};
  };
  const auto expected = loss(torch::kDouble, true), actual = loss(torch::kFloat, false);
  expect_close(actual[0], expected[0], 2e-3, "loss");
  // The gradient of a score, below 1, is rounded: a relative error of 2^-9.
  expect_close(actual[1], expected[1], 16 * 0x1p-8, "by hidden");
  expect_close(actual[2], expected[2], 300 * 0x1p-9 / 8, "by weight");
  expect_close(actual[3], expected[3], 300 * 0x1p-9 / 8, "by bias");
}

}  // namespace
}  // namespace heed
