// The halting of adaptive computation time; recurrent layers and attentions that halt are compared
// with their equations in layers_test.cpp and rereading_test.cpp.
#include <gtest/gtest.h>

#include "nn/compare.h"
#include "nn/halting.h"
#include "nn/initialize.h"
#include "nn/torch.h"

namespace heed {
namespace {

// States of width 1.
struct HaltingOwner final : Module {
  HaltingOwner() : halting(*this, "halt", {.most = 4, .epsilon = 0.01}, 1) {}
  Halting halting;
};

// h = σ(s).
void halt_by_state(const HaltingOwner& owner) {
  const torch::NoGradGuard no_grad;
  parameters_of(owner).at("halt.weight").fill_(1);
  parameters_of(owner).at("halt.bias").fill_(0);
}

Tensor numbers(const std::vector<double>& list) { return torch::tensor(list, torch::kFloat); }

TEST(Halting, IsOfEachRowAndFiniteAtExtremes) {
  const HaltingOwner owner;
  halt_by_state(owner);
  HaltingRows rows(owner.halting);
  const Tensor states = numbers({1e4, -1e4, 0, 20}).unsqueeze(1);
  const std::vector<Tensor> expected = {numbers({1, 0, 0.5, 1}), numbers({0, 0, 0.5, 0}),
                                        numbers({0, 0, 0, 0}), numbers({0, 1, 0, 0})};
  for (size_t n = 0; n < expected.size(); ++n) {
    EXPECT_TRUE(rows.next(states).equal(expected[n])) << "step " << n;
    EXPECT_EQ(rows.all_halted(), n == 3) << "step " << n;
  }
  EXPECT_TRUE(rows.ponder().equal(numbers({2, 5, 2.5, 2}))) << rows.ponder();
}

TEST(Halting, EndsBeforeTheMaximumWhenAllRowsHave) {
  const HaltingOwner owner;
  halt_by_state(owner);
  HaltingRows rows(owner.halting);
  rows.next(numbers({0, 10}).unsqueeze(1));
  EXPECT_FALSE(rows.all_halted());
  rows.next(numbers({0, 10}).unsqueeze(1));
  EXPECT_TRUE(rows.all_halted());
}

// Graves 2016, section 3: a bias of 1, so that rows have few steps at first.
TEST(Halting, BeginsWithABiasOfOne) {
  HaltingOwner owner;
  initialize(owner, InitializerConfig(), 1);
  EXPECT_EQ(parameters_of(owner).at("halt.bias").item<double>(), 1);
}

}  // namespace
}  // namespace heed
