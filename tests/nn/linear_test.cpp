#include "nn/linear.h"

#include <gtest/gtest.h>

#include "nn/compare.h"
#include "nn/torch.h"

namespace heed {
namespace {

struct Layers : Module {
  Linear plain{*this, "plain", 5, 3}, without_bias{*this, "without_bias", 5, 3, kNoBias},
      normed{*this, "normed", 5, 3, {.norm = 2}};
};

TEST(Linear, IsWxPlusB) {
  Layers layers;
  fill(layers);
  auto own = parameters_of(layers);
  const Tensor x = uniform({2, 4, 5}, "x");
  expect_close(layers.plain(x), x.matmul(own.at("plain.weight").t()) + own.at("plain.bias"), 1e-12,
               "plain");
  EXPECT_FALSE(own.contains("without_bias.bias"));
  expect_close(layers.without_bias(x), x.matmul(own.at("without_bias.weight").t()), 1e-12,
               "without bias");
  const Tensor v = own.at("normed.v");
  const Tensor w = own.at("normed.gain").unsqueeze(1) * v / v.norm(2, 1, true);
  expect_close(layers.normed(x), x.matmul(w.t()) + own.at("normed.bias"), 1e-12, "normed");
}

TEST(Linear, IsAHandle) {
  Layers layers;
  const Linear same = layers.plain;
  fill(layers);
  const Tensor x = uniform({2, 5}, "x");
  EXPECT_TRUE(same(x).equal(layers.plain(x)));
  EXPECT_TRUE(same);
  EXPECT_FALSE(Linear());
}

TEST(Linear, FrozenGivesTheSame) {
  Layers layers;
  fill(layers);
  const Tensor x = uniform({2, 5}, "x"), before = layers.normed(x);
  for_each_module(layers, [](Module& module, const std::string&) { module.freeze(); });
  EXPECT_TRUE(layers.normed(x).equal(before));
  EXPECT_TRUE(layers.normed.weight().is_same(layers.normed.weight())) << "is formed once";
}

}  // namespace
}  // namespace heed
