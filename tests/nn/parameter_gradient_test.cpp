#include "nn/parameter_gradient.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "nn/compare.h"
#include "nn/linear.h"
#include "nn/product.h"
#include "nn/step_linear.h"
#include "nn/torch.h"
#include "nn/vocabulary_loss.h"

#include <torch/csrc/autograd/autograd.h>

namespace heed {
namespace {

Tensor parameter(const std::vector<int64_t>& shape, const std::string& name) {
  Tensor x = uniform(shape, name).to(torch::kFloat).requires_grad_();
  x.mutable_grad() = torch::zeros(shape);
  return x;
}

TEST(GradientsInPlace, BelongToAParameterOrAViewOfOne) {
  const Tensor weight = parameter({3, 4, 5}, "weight");
  EXPECT_FALSE(gradient_in_place(weight).defined()) << "there is no scope";
  {
    const GradientsInPlace in_place;
    EXPECT_EQ(gradient_in_place(weight).data_ptr(), weight.grad().data_ptr());
    const Tensor columns = weight.flatten(0, 1).narrow(1, 2, 3);  // [12,3]
    Tensor own = gradient_in_place(columns);
    ASSERT_EQ(own.sizes(), columns.sizes());
    own.fill_(1);
    EXPECT_TRUE(weight.grad().narrow(2, 2, 3).eq(1).all().item<bool>());
    EXPECT_TRUE(weight.grad().narrow(2, 0, 2).eq(0).all().item<bool>());
    EXPECT_FALSE(gradient_in_place(weight * 2).defined()) << "computed from a parameter";
    EXPECT_FALSE(gradient_in_place((weight * 2).flatten()).defined()) << "a view of that";
    EXPECT_FALSE(gradient_in_place(torch::ones({2, 2})).defined()) << "no gradient is wanted";
    EXPECT_FALSE(gradient_in_place(torch::ones({2, 2}).requires_grad_()).defined())
        << "there is no .grad yet";
    EXPECT_FALSE(gradient_in_place(Tensor()).defined());
  }
  EXPECT_FALSE(gradient_in_place(weight).defined()) << "the scope has ended";
}

// A loss of everything that adds its gradients in place, with a weight that is used three times,
// twice as a part of it.
struct Network {
  Tensor table = parameter({50, 16}, "table"), weight = parameter({16, 24}, "of layer"),
         inner = parameter({16, 16}, "recurrent");
  Tensor loss(bool bf16) const {
    const Bf16Scope products(bf16);
    const Tensor ids = torch::arange(30) % 50, targets = (torch::arange(30) * 7) % 50;
    Tensor x = torch::embedding(table, ids);                  // [30,16]
    x = linear(x, weight.narrow(1, 8, 16), Tensor()).tanh();  // [30,16]
    const StepLinear step(inner), rest(weight.narrow(1, 0, 16));
    for (int i = 0; i < 3; ++i) x = (step(x) + rest(x)).tanh();
    return vocabulary_loss(x, table, Tensor(), targets, 0.1).loss * 0.25;
  }
  std::vector<Tensor> gradients() const { return {table.grad(), weight.grad(), inner.grad()}; }
};

TEST(GradientsInPlace, AreThoseOfAutogradButForRounding) {
  for (const bool bf16 : {false, true}) {
    const Network plain, own;
    for (int pass = 0; pass < 2; ++pass) {
      plain.loss(bf16).backward();
      const Tensor loss = own.loss(bf16);
      const GradientsInPlace in_place;
      loss.backward();
    }
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_GT(plain.gradients()[i].abs().max().item<float>(), 1e-3);
      expect_close(own.gradients()[i], plain.gradients()[i], 2e-5,
                   "gradient " + std::to_string(i) + (bf16 ? " in bf16" : ""));
    }
  }
}

// libtorch sees no gradient of a parameter that has it in place alone.
TEST(GradientsInPlace, AreNotGivenToAutogradAsWell) {
  const Bf16Scope bf16(true);
  const Tensor x = torch::ones({3, 16}), targets = torch::tensor({1L, 2L, 3L});
  using Loss = std::function<Tensor(const Tensor& weight)>;
  const std::map<std::string, Loss> losses = {
      {"linear", [&](const Tensor& weight) { return linear(x, weight, Tensor()).sum(); }},
      {"step", [&](const Tensor& weight) { return StepLinear(weight)(x).sum(); }},
      {"loss", [&](const Tensor& weight) {
         return vocabulary_loss(x, weight, Tensor(), targets, 0.1).loss;
       }}};
  for (const auto& [name, loss] : losses) {
    const Tensor weight = parameter({16, 16}, "weight");
    const Tensor y = loss(weight);
    const GradientsInPlace in_place;
    const auto given =
        torch::autograd::grad({y}, {weight}, {}, false, false, /*allow_unused=*/true);
    EXPECT_FALSE(given[0].defined()) << name;
    EXPECT_GT(weight.grad().abs().sum().item<float>(), 0) << name;
  }
}

TEST(GradientsInPlace, AreAddedOnlyWhereOneIsWanted) {
  const Tensor weight = parameter({16, 16}, "weight"),
               hidden = torch::ones({3, 16}).requires_grad_();
  const Tensor loss =
      vocabulary_loss(hidden, weight, Tensor(), torch::tensor({1L, 2L, 3L}), 0.1).loss;
  const GradientsInPlace in_place;
  EXPECT_TRUE(torch::autograd::grad({loss}, {hidden})[0].defined());
  EXPECT_TRUE(weight.grad().eq(0).all().item<bool>());
}

}  // namespace
}  // namespace heed
