// Hops and adaptive computation equal their definitions.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
#include "nn/initialize.h"
#include "reference/memory.h"
#include "reference/readouts.h"
#include "reference/recurrent.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

class Rereadings : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      Matrix context(own.query.rows, own.query.columns);
      Vector ponder;
      for (size_t t = 0; t < own.query.rows; ++t) {
        if (GetParam().beside == "adaptive") {
          const auto adaptive = adaptively(own, t);
          context.set_row(t, adaptive.output);
          ponder.push_back(adaptive.ponder);
        } else {
          context.set_row(t, hopping(own, t));
        }
      }
      expect_close(actual.context[r], tensor_of(context), tolerance, "context");
      if (ponder.empty()) continue;
      ASSERT_EQ(actual.losses.size(), 1U);
      expect_close(actual.losses[0].value[r], tensor_of(ponder), tolerance, "ponder cost");
    }
  }

 private:
  Matrix matrix(const std::string& name) const {
    return matrix_of(parameters_of(*attention_).at(name));
  }
  Vector vector(const std::string& name) const {
    return vector_of(parameters_of(*attention_).at(name));
  }
  Matrix projected(const std::string& name, const Matrix& x) const {
    return reference::affine(matrix(name + ".weight"), vector(name + ".bias"), x);
  }
  // Scaled dot products of two projected heads, for one query.
  Vector attend(const Sentence& own, size_t t, const Vector& query, size_t which) const {
    const std::string name = "attention_" + std::to_string(which);
    const Matrix q = projected(name + ".score.query", Matrix(1, query.size(), query)),
                 k = projected(name + ".score.key", own.keys),
                 v = projected(name + ".read.value", own.values);
    const auto read = reference::multi_head(2,
                                            [&](size_t h) {
                                              return reference::scores(reference::head_of(q, h, 2),
                                                                       reference::head_of(k, h, 2),
                                                                       reference::scaled_dot_score);
                                            },
                                            v, {own.mask[t]});
    return projected(name + ".read.output", read.joined).row(0);
  }
  Vector updated(const Vector& q, const Vector& c) const {
    if (GetParam().beside == "hops_add") return reference::sum(q, c);
    const reference::Cell cell{.kind = "gru",
                               .input = matrix("cell.weight_input"),
                               .hidden = matrix("cell.weight_hidden"),
                               .input_bias = vector("cell.bias_input"),
                               .hidden_bias = vector("cell.bias_hidden")};
    return reference::step(cell, c, {q, {}}).h;
  }
  Vector hopping(const Sentence& own, size_t t) const {
    const bool shared = GetParam().beside == "hops_add";
    return reference::multi_hop(
        own.query.row(t), 2,
        [&](const Vector& q, size_t hop) { return attend(own, t, q, shared ? 0 : hop); },
        [&](const Vector& q, const Vector& c) { return updated(q, c); });
  }
  reference::Adaptive adaptively(const Sentence& own, size_t t) const {
    Vector q = own.query.row(t);
    return reference::adaptive_computation(
        3,
        [&](size_t) {
          q = updated(q, attend(own, t, q, 0));
          const double halt = reference::sigmoid(
              reference::affine(matrix("halt.weight"), vector("halt.bias"), q).at(0));
          return std::pair(halt, q);
        },
        0.4);
  }
};

TEST_P(Rereadings, EqualTheEquations) { compare(); }

std::vector<Case> rereading_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside.starts_with("hops_") || c.beside == "adaptive") cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, Rereadings, testing::ValuesIn(rereading_cases()),
                         [](const auto& variant) { return variant.param.name(); });

// Sukhbaatar et al. 2015, equations 1, 2 and 4, and both ways of tying of section 2.2. With
// `embed: false`, a key and a value are already embedded by all A and C.
class MemoryNetworks : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      for (size_t t = 0; t < own.query.rows; ++t) {
        Vector u = is("blocks") ? part(own.query.row(t), 0, width())
                                : reference::product(matrix("query"), own.query.row(t));
        for (int k = 0; k < hops(); ++k) {
          const auto embedded = [&](const Matrix& x, bool output) {
            Matrix all(own.lengths[0], u.size());
            for (size_t i = 0; i < all.rows; ++i) all.set_row(i, memory(x.row(i), k, output));
            return all;
          };
          u = reference::memory_hop(u, embedded(own.keys, false), embedded(own.values, true),
                                    is("layer_wise") ? map() : Matrix());
        }
        if (is("blocks")) {
          Vector padded(own.query.columns - u.size(), 0.0);
          padded.insert(padded.end(), u.begin(), u.end());
          u = padded;
        }
        expect_close(actual.context[r][static_cast<int64_t>(t)], tensor_of(u), tolerance, "u");
      }
    }
  }

 private:
  static bool is(const std::string& word) {
    return GetParam().beside.find(word) != std::string::npos;
  }
  static int hops() { return is("blocks") && !is("untied") ? 3 : 2; }
  // Width of a block: of four embeddings, two with layer_wise.
  static size_t width() { return is("layer_wise") ? kKey / 2 : kKey / 4; }
  static Vector part(const Vector& x, size_t begin, size_t end) {
    return {x.begin() + static_cast<std::ptrdiff_t>(begin),
            x.begin() + static_cast<std::ptrdiff_t>(end)};
  }
  // A^k x or C^k x, k from 0.
  Vector memory(const Vector& x, int k, bool output) const {
    const int own = is("layer_wise") ? 0 : k;
    if (is("blocks")) {
      const size_t a = static_cast<size_t>(is("untied") ? 2 * own : own), at = a + (output ? 1 : 0);
      return part(x, at * width(), (at + 1) * width());
    }
    const bool is_tied = is("adjacent") && k > 0 && !output;
    const Matrix w = is_tied ? matrix("output_" + std::to_string(k - 1))
                             : matrix((output ? "output_" : "input_") + std::to_string(own));
    return reference::product(w, x);
  }
  Matrix matrix(const std::string& name) const {
    return matrix_of(parameters_of(*attention_).at("memory_embedding_" + name + ".weight"));
  }
  Matrix map() const { return matrix_of(parameters_of(*attention_).at("map.weight")); }
};

TEST_P(MemoryNetworks, EqualTheEquations) { compare(); }

std::vector<Case> memory_network_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside.starts_with("memory_network")) cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, MemoryNetworks, testing::ValuesIn(memory_network_cases()),
                         [](const auto& variant) { return variant.param.name(); });

// Embeddings of deviation 0.1 at width 20 give such scores (section 4.2): the softmax is neither
// uniform nor on one key.
TEST(MemoryNetwork, BeginsWithScoresOfVarianceOneAtEveryWidth) {
  torch::manual_seed(1);
  for (const int64_t width : {20, 512}) {
    const auto attention = build(*attention_of("{type: memory_network, hops: 1, linear_start: 9}"),
                                 {.query = width, .source = {.key = width, .value = width}});
    initialize(*attention, InitializerConfig(), 1);
    const Tensor keys = torch::randn({1, 100, width}), query = torch::randn({1, 100, width});
    Pass pass = Pass::for_training(1, 1);
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, torch::tensor({100}, torch::kLong))}},
                     state.view());
    const double variance = attention->attend(query, positions_from(0, 1, 100), state.view())
                                .weights.var()
                                .item<double>();
    EXPECT_GT(variance, 0.4) << width;
    EXPECT_LT(variance, 2.5) << width;
  }
}

// Section 5 of Sukhbaatar et al. 2015: at first the products themselves are the weights.
TEST(MemoryNetwork, StartsWithoutTheSoftmax) {
  const auto attention =
      build(*attention_of("{type: memory_network, hops: 1, linear_start: 3}"), Case().dims());
  fill(*attention);
  const Tensor keys = uniform({1, kKeys, kKey}, "keys"), query = uniform({1, 1, kKey}, "query");
  const auto read = [&](Pass pass) {
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, torch::tensor({4}, torch::kLong))}},
                     state.view());
    return attention->attend(query, positions_from(0, 1, 1), state.view()).weights;
  };
  const auto embedded = [&](const Tensor& x, const std::string& name) {
    return torch::matmul(x,
                         parameters_of(*attention).at("memory_embedding_" + name + ".weight").t());
  };
  const Tensor products = torch::matmul(embedded(query, "query"),
                                        embedded(keys, "input_0").transpose(1, 2));  // [1,1,S]
  const Tensor linear = read(Pass::for_training(1, 3))[0];
  expect_close(linear.narrow(2, 0, 4), products.narrow(2, 0, 4), kExact, "products");
  EXPECT_EQ(linear.select(2, 4).item<double>(), 0) << "behind the end";
  const Tensor softmax = torch::softmax(products.narrow(2, 0, 4), -1);
  for (const Pass& pass : {Pass::for_training(1, 4), Pass()})
    expect_close(read(pass)[0].narrow(2, 0, 4), softmax, kExact, "softmax");
}

// Graves 2016, section 3: a bias of 1, so that the model reads only a few times at first.
TEST(AdaptiveAttention, BeginsWithAHaltingBiasOfOne) {
  const auto attention = build(*Case{.beside = "adaptive"}.config(), Case().dims());
  initialize(*attention, InitializerConfig(), 1);
  EXPECT_TRUE(parameters_of(*attention).at("halt.bias").eq(1).all().item<bool>());
}

// The step at which a query halts differs from query to query.
TEST(AdaptiveAttention, ReadsAsOftenAsAQueryWants) {
  const Case c{.beside = "adaptive"};
  const auto attention = build(*c.config(), c.dims());
  fill(*attention);
  State state(attention->layout(), 8, Pass(), torch::kCPU);
  const Tensor keys = uniform({8, kKeys, kKey}, "keys", 1.5);
  attention->start({{"source", make_source(keys, torch::full({8}, 5, torch::kLong))}},
                   state.view());
  const Attended attended = attention->attend(uniform({8, kQueries, kKey}, "query", 1.5),
                                              positions_from(0, 8, kQueries), state.view());
  const Tensor ponder = attended.losses[0].value;  // N + R, 0 < R <= 1
  EXPECT_LT(ponder.min().item<double>(), 2.01);
  EXPECT_GT(ponder.max().item<double>(), 2.01);
}

}  // namespace
}  // namespace heed
