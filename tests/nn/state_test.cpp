// State, passes with their random numbers, initial values.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu.h"
#include "holds.h"
#include "nn/compare.h"
#include "nn/initialize.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/pass.h"
#include "nn/recurrent.h"
#include "nn/sources.h"
#include "nn/state.h"
#include "nn/torch.h"

namespace heed {
namespace {

Tensor ids(std::vector<int64_t> list) { return torch::tensor(list, torch::kLong); }

// Slots of two modules, one inside the other.
struct Inner {
  StateLayout layout;
  CarrySlot carry = layout.carry("carry");
  CacheSlot cache = layout.cache("cache", 1);
  MemorySlot memory = layout.memory("memory");
};
struct Outer {
  Inner inner;
  StateLayout layout;
  CarrySlot carry = layout.carry("carry");
  StateBlock first = layout.block("first", inner.layout),
             second = layout.block("second", inner.layout);
};

// State of two sentences, with values in the slots of the second block.
State two_rows(const Outer& outer) {
  State state(outer.layout, 2, Pass(), torch::kCPU);
  state.positions = ids({3, 4});
  const StateView view = state.view()[outer.second];
  view.put(outer.inner.carry, ids({10, 20}));
  view.put(outer.inner.memory, ids({100, 200}));
  return state;
}

TEST(StateLayout, ANameIsThereOnce) {
  StateLayout layout;
  layout.carry("hidden");
  EXPECT_THROW(layout.carry("hidden"), InternalError);
  EXPECT_THROW(layout.memory("hidden"), InternalError);
  const Inner inner;
  layout.block("layer", inner.layout);
  EXPECT_THROW(layout.block("layer", inner.layout), InternalError);
}

TEST(State, HasARowForEachHypothesisOrSentence) {
  const Outer outer;
  State state = two_rows(outer);
  const StateView view = state.view()[outer.second];
  EXPECT_THROW(view.put(outer.inner.carry, ids({1, 2, 3})), InternalError);
  EXPECT_THROW(view.put(outer.inner.memory, torch::zeros({})), InternalError);
  EXPECT_THROW(view.get(outer.inner.cache), InternalError);
  state.gather(ids({0, 0, 1, 1}), 2);
  EXPECT_THROW(view.put(outer.inner.carry, ids({1, 2})), InternalError);
  EXPECT_THROW(view.put(outer.inner.memory, ids({1, 2, 3, 4})), InternalError);
}

TEST(State, AViewSeesItsBlockAlone) {
  const Outer outer;
  State state = two_rows(outer);
  const StateView first = state.view()[outer.first], second = state.view()[outer.second];
  EXPECT_FALSE(first.has(outer.inner.carry));
  first.put(outer.inner.carry, ids({7, 8}));
  state.view().put(outer.carry, ids({5, 6}));
  EXPECT_TRUE(second.get(outer.inner.carry).equal(ids({10, 20})));
  std::vector<std::string> names;
  for (const auto& [name, tensor] : state.contents()) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"carry", "first.carry", "second.carry", "second.memory"}));
}

TEST(State, GatherMovesHypothesesAndTheirSentences) {
  const Outer outer;
  const Inner& inner = outer.inner;
  State state = two_rows(outer);
  const StateView view = state.view()[outer.second];
  state.gather(ids({0, 0, 1, 1}), 2);
  EXPECT_EQ(state.rows(), 4);
  EXPECT_EQ(state.sentences(), 2);
  EXPECT_TRUE(view.get(inner.carry).equal(ids({10, 10, 20, 20})));
  EXPECT_TRUE(view.get(inner.memory).equal(ids({100, 200}))) << "once a sentence";
  EXPECT_TRUE(view.by_row(inner.memory).equal(ids({100, 100, 200, 200})));
  EXPECT_TRUE(state.positions.equal(ids({3, 3, 4, 4})));
  view.put(inner.carry, ids({1, 2, 3, 4}));
  state.gather(ids({1, 1, 3, 2}), 2);
  EXPECT_TRUE(view.get(inner.carry).equal(ids({2, 2, 4, 3})));
  state.gather(ids({3, 2}), 2);
  EXPECT_EQ(state.sentences(), 1);
  EXPECT_TRUE(view.get(inner.carry).equal(ids({3, 4})));
  EXPECT_TRUE(view.get(inner.memory).equal(ids({200})));
  EXPECT_TRUE(state.positions.equal(ids({4, 4})));
  EXPECT_THROW(state.gather(ids({0, 1, 0}), 2), InternalError);
}

// The cache grows in place or not, and a copy of the state does not matter.
TEST(State, ACacheGrowsByWhatIsAppended) {
  const Inner inner;
  for (const bool in_place : {false, true}) {
    const torch::AutoGradMode mode(!in_place);
    State state(inner.layout, 2, Pass(), torch::kCPU);
    const Tensor all = uniform({2, 60, 3}, "all");
    const auto part = [&all](int64_t begin, int64_t count) { return all.narrow(1, begin, count); };
    for (int64_t t = 0; t < 30; ++t) {
      EXPECT_TRUE(state.view().append(inner.cache, part(t, 1)).equal(part(0, t + 1))) << t;
    }
    {
      const torch::AutoGradMode other(in_place);
      State mixed = state;
      EXPECT_TRUE(mixed.view().append(inner.cache, part(30, 2)).equal(part(0, 32)));
    }
    State copy = state;
    EXPECT_TRUE(state.view().append(inner.cache, part(30, 5)).equal(part(0, 35)));
    const Tensor other = copy.view().append(inner.cache, part(40, 5));
    EXPECT_TRUE(other.equal(torch::cat({part(0, 30), part(40, 5)}, 1)));
    EXPECT_TRUE(state.view().get(inner.cache).equal(part(0, 35))) << "the copy is another";
    state.gather(ids({1, 1, 0, 0}), 2);
    const Tensor moved = all.index_select(0, ids({1, 1, 0, 0}));
    EXPECT_TRUE(state.view().get(inner.cache).equal(moved.narrow(1, 0, 35)));
    EXPECT_TRUE(
        state.view().append(inner.cache, moved.narrow(1, 35, 2)).equal(moved.narrow(1, 0, 37)));
  }
}

// Values stay the same, smaller tensors are padded, and missing values get the fill value. Each row
// of a cache grows from its own end.
TEST(State, SentencesJoin) {
  const torch::NoGradGuard no_grad;
  StateLayout layout;
  const CarrySlot carry = layout.carry("carry"), begun = layout.carry("begun", -1);
  const CacheSlot cache = layout.cache("cache", 1, 9);
  const MemorySlot memory = layout.memory("memory");
  const auto rows = [](std::vector<std::vector<int64_t>> list) {
    std::vector<Tensor> tensors;
    for (auto& row : list) tensors.push_back(ids(row));
    return torch::stack(tensors);
  };
  State state(layout, 1, Pass(), torch::kCPU), more(layout, 2, Pass(), torch::kCPU);
  state.positions = ids({2});
  state.view().put(carry, rows({{1, 2}}));
  state.view().put(begun, rows({{5}}));
  state.view().put(memory, rows({{1, 2, 3}}));
  state.view().append(cache, rows({{10, 11}}));
  more.view().put(carry, rows({{3, 4}, {5, 6}}));
  more.view().put(memory, rows({{4}, {5}}));
  state.join(more);
  const StateView view = state.view();
  EXPECT_EQ(state.sentences(), 3);
  EXPECT_TRUE(state.positions.equal(ids({2, 0, 0})));
  EXPECT_TRUE(view.get(carry).equal(rows({{1, 2}, {3, 4}, {5, 6}})));
  EXPECT_TRUE(view.get(begun).equal(rows({{5}, {-1}, {-1}})));
  EXPECT_TRUE(view.get(memory).equal(rows({{1, 2, 3}, {4, 0, 0}, {5, 0, 0}})));
  EXPECT_TRUE(view.append(cache, rows({{12}, {20}, {30}}))
                  .equal(rows({{10, 11, 12}, {20, 9, 9}, {30, 9, 9}})));
  for (int64_t t = 0; t < 40; ++t) view.append(cache, rows({{13 + t}, {21 + t}, {31 + t}}));
  const Tensor long_one = view.get(cache);
  EXPECT_EQ(long_one.size(1), 43);
  EXPECT_EQ(long_one[1][40].item<int64_t>(), 60);
  EXPECT_TRUE(long_one[1].narrow(0, 41, 2).equal(ids({9, 9})));
  state.gather(ids({2, 1}), 1);  // both have the same length
  EXPECT_TRUE(view.get(cache).select(1, 40).equal(ids({70, 60})));
  EXPECT_TRUE(view.append(cache, rows({{71}, {61}})).select(1, 41).equal(ids({71, 61})));
  State another(layout, 1, Pass(), torch::kCPU);
  another.gather(ids({0, 0}), 2);
  EXPECT_THROW(state.join(another), InternalError);
}

TEST(Hypotheses, AreQueriesOfTheirSentence) {
  const Tensor x = uniform({6, 4, 3}, "x");  // two hypotheses of each of three sentences
  const Tensor asked = by_sentence(x, 2);
  EXPECT_EQ(asked.sizes(), (c10::IntArrayRef{3, 8, 3}));
  EXPECT_TRUE(asked[1][5].equal(x[3][1]));
  EXPECT_TRUE(by_hypothesis(asked, 2).equal(x));
}

TEST(Sources, MaskAndPositionsComeFromTheLengths) {
  const Tensor states = uniform({2, 3, 4}, "states");
  const Source source = make_source(states, ids({3, 1}));
  EXPECT_TRUE(source.mask.equal(
      torch::tensor(std::vector<int64_t>{1, 1, 1, 1, 0, 0}).view({2, 3}).to(torch::kBool)));
  EXPECT_TRUE(source.positions[0].equal(ids({0, 1, 2})));
  EXPECT_TRUE(source.keys.equal(states));
  EXPECT_TRUE(source.values.equal(states));
}

TEST(Dropout, KeepsProportionAndMean) {
  constexpr int64_t kCount = 200000;
  const Tensor like = torch::zeros({});
  for (const double p : {0.1, 0.5, 0.9}) {
    const Tensor mask = dropout_mask({kCount}, p, like, Pass::for_training(1, 2));
    const double dropped = mask.eq(0).to(torch::kDouble).mean().item<double>();
    EXPECT_NEAR(dropped, p, 5 * std::sqrt(p * (1 - p) / kCount)) << "five standard deviations";
    const Tensor kept = mask.masked_select(mask.gt(0));
    EXPECT_TRUE(kept.allclose(torch::full_like(kept, 1 / (1 - p))));
  }
}

TEST(Dropout, KeepsProportionAndMeanOnAGpu) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  const Tensor ones = torch::ones({100, 1000}, torch::kCUDA);
  const Tensor dropped = dropout(ones, 0.3, Pass::for_training(1, 2)).to(torch::kCPU);
  EXPECT_NEAR(dropped.eq(0).to(torch::kFloat).mean().item<double>(), 0.3, 0.01);
  EXPECT_NEAR(dropped.max().item<double>(), 1 / 0.7, 1e-6);
  EXPECT_TRUE(torch::equal(dropped, dropout(ones, 0.3, Pass::for_training(1, 2)).cpu()));
  EXPECT_FALSE(torch::equal(dropped, dropout(ones, 0.3, Pass::for_training(1, 3)).cpu()));
}

TEST(Dropout, NeighboursAndDrawsAreIndependent) {
  constexpr int64_t kCount = 200000;
  const Pass pass = Pass::for_training(1, 2);
  const auto draw = [&](const Pass& from) {
    return dropout_mask({kCount}, 0.5, torch::zeros({}, torch::kDouble), from) - 1;  // ±1
  };
  const Tensor first = draw(pass), second = draw(pass);
  const auto correlation = [](const Tensor& a, const Tensor& b) {
    return (a * b).mean().item<double>();
  };
  const double bound = 5 / std::sqrt(static_cast<double>(kCount));
  EXPECT_LT(std::abs(correlation(first, second)), bound);
  EXPECT_LT(std::abs(correlation(first, draw(Pass::for_training(1, 3)))), bound);
  EXPECT_LT(std::abs(correlation(first, draw(Pass::for_training(1, 2).fork()))), bound);
  EXPECT_LT(std::abs(correlation(first, draw(Pass::for_training(2, 2)))), bound);
  for (const int64_t apart : {1, 2, 64, 512}) {
    const int64_t count = kCount - apart;
    EXPECT_LT(std::abs(correlation(first.narrow(0, 0, count), first.narrow(0, apart, count))),
              bound * 1.1)
        << apart;
  }
}

TEST(Dropout, TheSameKeyGivesTheSameMask) {
  const auto mask = [](torch::ScalarType type) {
    const Pass pass = Pass::for_training(5, 6), copy = pass;
    dropout_mask({3}, 0.5, torch::zeros({}, type), copy);  // copies share the count
    return dropout_mask({40, 5}, 0.3, torch::zeros({}, type), pass);
  };
  EXPECT_TRUE(mask(torch::kFloat).equal(mask(torch::kFloat)));
  EXPECT_TRUE(mask(torch::kFloat).gt(0).equal(mask(torch::kDouble).gt(0)));
  torch::manual_seed(1);
  const Tensor before = mask(torch::kFloat);
  torch::manual_seed(2);
  EXPECT_TRUE(before.equal(mask(torch::kFloat))) << "not the process-wide generator";
}

// The rows are those of an update, in other batches and with other padding.
TEST(Dropout, OfARowDependsOnItsNumberAlone) {
  const auto mask = [](c10::IntArrayRef shape, std::vector<int64_t> rows) {
    return dropout_mask(shape, 0.5, torch::zeros({}), Pass::for_training(5, 6, std::move(rows)));
  };
  const Tensor whole = mask({5, 3, 7, 40}, {});
  EXPECT_TRUE(mask({5, 3, 7, 40}, {0, 1, 2, 3, 4}).equal(whole));
  const Tensor part = mask({2, 3, 4, 31}, {4, 1});
  EXPECT_TRUE(
      part.equal(whole.index_select(0, torch::tensor({4, 1})).narrow(2, 0, 4).narrow(3, 0, 31)));
  EXPECT_FALSE(whole[0].equal(whole[1]));
  EXPECT_FALSE(whole.select(2, 0).equal(whole.select(2, 1)));
  EXPECT_FALSE(whole.select(1, 0).equal(whole.select(1, 1)));
}

TEST(Dropout, AForkHasACountOfItsOwn) {
  const Pass one = Pass::for_training(1, 2), other = Pass::for_training(1, 2);
  const Pass few = one.fork(), many = other.fork();
  few.draw();
  for (int i = 0; i < 5; ++i) many.draw();
  EXPECT_EQ(one.draw(), other.draw());
  EXPECT_NE(one.fork().draw(), one.fork().draw());
}

TEST(Dropout, DrawsNothingOutsideTraining) {
  const Tensor x = uniform({4, 5}, "x");
  EXPECT_TRUE(dropout(x, 0.5, Pass()).is_same(x));
  EXPECT_THROW(Pass().draw(), InternalError);
  const Pass pass = Pass::for_training(1, 2), untouched = Pass::for_training(1, 2);
  EXPECT_TRUE(dropout(x, 0, pass).is_same(x));
  EXPECT_EQ(pass.draw(), untouched.draw()) << "probability 0 takes no draw";
}

// Single precision uses the kernel.
TEST(Dropout, IsTheProductWithItsMask) {
  for (const auto type : {torch::kDouble, torch::kFloat}) {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{4, 5}, {3, 2, 37}, {6}, {0, 3}}) {
      const Tensor x = uniform(shape, "x").to(type).requires_grad_(),
                   by_y = uniform(shape, "by y").to(type);
      const Tensor mask = dropout_mask(shape, 0.5, x, Pass::for_training(1, 2));
      const Tensor y = dropout(x, 0.5, Pass::for_training(1, 2));
      EXPECT_TRUE(y.equal(x * mask));
      y.backward(by_y);
      EXPECT_TRUE(x.grad().equal(by_y * mask));
    }
  }
}

// A module with one of each thing that is drawn or left unchanged.
struct Many : Module {
  explicit Many(bool more) {
    if (more) Linear(*this, "before", 3, 3);
    for (const auto& [word, kind] : cell_words()) {
      register_module(word, std::make_shared<RecurrentCell>(kind, 5, 4, CellNorm::kApart));
    }
    Linear(*this, "linear", 6, 4);
    Linear(*this, "normalizer", 6, 4);
    Linear(*this, "halt", 6, 4, {.first_bias = 1});
    for (const char* name : {"norm", "norm_image"})
      register_module(name, std::make_shared<LayerNorm>(6));
    add_parameter("embedding", {300, 25}, Init::embedding()).fill_(NAN);
    add_parameter("v", {7}, Init::vector()).fill_(NAN);
    add_parameter("vote", {2, 3, 40, 60}, Init::matrices());
  }

 private:
  const torch::NoGradGuard no_grad_;
};
std::map<std::string, Tensor> drawn(bool more, uint64_t seed,
                                    InitializerConfig::Method method = {}) {
  Many many(more);
  InitializerConfig config;
  config.method = method;
  initialize(many, config, seed);
  return parameters_of(many);
}

TEST(Initialize, EachParameterDependsOnItsNameAndTheSeedOnly) {
  torch::manual_seed(1);
  const auto fewer = drawn(false, 7);
  torch::manual_seed(2);
  const auto more = drawn(true, 7), other = drawn(false, 8);
  for (const auto& [name, value] : fewer) {
    EXPECT_TRUE(value.isfinite().all().item<bool>()) << name;
    EXPECT_TRUE(value.equal(more.at(name))) << name;
    if (name.ends_with("weight") && name.find("norm") != 0) {
      EXPECT_FALSE(value.equal(other.at(name))) << name;
    }
  }
  EXPECT_FALSE(fewer.at("linear.weight").equal(fewer.at("normalizer.weight")));
}

TEST(Initialize, WhatIsNotDrawnKeepsTheValueItWasMadeWith) {
  const auto values = drawn(false, 7);
  const auto all = [&values](const std::string& name, double expected) {
    return values.at(name).eq(expected).all().item<bool>();
  };
  for (const char* name : {"linear.bias", "normalizer.bias", "norm.bias", "rnn.bias_input",
                           "gru.bias_hidden", "lstm.bias_hidden", "lstm.norm_cell_bias"}) {
    EXPECT_TRUE(all(name, 0)) << name << values.at(name);
  }
  for (const char* name : {"norm.weight", "norm_image.weight", "lstm.norm_input", "halt.bias"}) {
    EXPECT_TRUE(all(name, 1)) << name;
  }
  const Tensor bias = values.at("lstm.bias_input").view({4, 4});
  for (int64_t gate = 0; gate < 4; ++gate) {
    EXPECT_TRUE(bias[gate].eq(gate == 1 ? 1 : 0).all().item<bool>()) << gate;
  }
}

TEST(Initialize, RecurrentMatricesAreOrthogonalGateByGate) {
  const auto values = drawn(false, 7);
  for (const auto& [word, kind] : cell_words()) {
    const Tensor weight = values.at(std::string(word) + ".weight_hidden").to(torch::kDouble);
    for (int64_t gate = 0; gate < weight.size(0); ++gate) {
      expect_close(torch::mm(weight[gate], weight[gate].t()), torch::eye(4, torch::kDouble), 1e-6,
                   word);
    }
  }
}

TEST(Initialize, SpreadsAreThoseOfTheirPapers) {
  holds({"model.initializer.method", "model.initializer.scale"});
  const auto values = drawn(false, 7);
  // Glorot and Bengio 2010, equation 16: uniform in ±√6/√(in+out).
  const auto largest = [&values](const std::string& name) {
    return values.at(name).abs().max().item<double>();
  };
  for (const char* name : {"linear.weight", "normalizer.weight"}) {
    EXPECT_LE(largest(name), std::sqrt(6.0 / 10)) << name;
    EXPECT_GT(largest(name), 0.6 * std::sqrt(6.0 / 10)) << name;
  }
  for (const auto& [word, kind] : cell_words()) {
    const std::string name = std::string(word) + ".weight_input";
    EXPECT_LE(largest(name), std::sqrt(6.0 / 9)) << name;
    EXPECT_GT(largest(name), 0.6 * std::sqrt(6.0 / 9)) << name;
  }
  const Tensor embedding = values.at("embedding").to(torch::kDouble);
  EXPECT_NEAR(embedding.std().item<double>(), 0.2, 0.01) << "25^-1/2";
  EXPECT_NEAR(embedding.mean().item<double>(), 0, 0.012);
  // Each of the 40 x 60 maps has its own bounds.
  EXPECT_LE(largest("vote"), std::sqrt(6.0 / 100));
  EXPECT_GT(largest("vote"), 0.95 * std::sqrt(6.0 / 100));
  using Method = InitializerConfig::Method;
  const auto deviation = [](const Tensor& x) { return x.to(torch::kDouble).std().item<double>(); };
  EXPECT_NEAR(deviation(drawn(false, 7, Method::kNormal).at("embedding")), 0.1, 0.005);
  EXPECT_NEAR(deviation(drawn(false, 7, Method::kUniform).at("embedding")), 0.1 / std::sqrt(3.0),
              0.003);
  EXPECT_NEAR(deviation(drawn(false, 7, Method::kXavierNormal).at("embedding")),
              std::sqrt(2.0 / 325), 0.003);
}

}  // namespace
}  // namespace heed
