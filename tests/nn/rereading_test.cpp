// Hops and adaptive computation equal their definitions.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
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
                               .input = matrix("cell.weight_ih"),
                               .hidden = matrix("cell.weight_hh"),
                               .input_bias = vector("cell.bias_ih"),
                               .hidden_bias = vector("cell.bias_hh")};
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

// The step that halts differs from query to query.
TEST(AdaptiveAttention, ReadsAsOftenAsAQueryWants) {
  const Case c{.beside = "adaptive"};
  const auto attention = c.config()->build(c.dims());
  fill(*attention);
  State state(8, Pass(), torch::kCPU);
  const Tensor keys = uniform({8, kKeys, kKey}, "keys", 1.5);
  attention->start({{"source", make_source(keys, torch::full({8}, 5, torch::kLong))}},
                   state.view("a"));
  const Attended attended = attention->attend(uniform({8, kQueries, kKey}, "query", 1.5),
                                              positions_from(0, 8, kQueries), state.view("a"));
  const Tensor ponder = attended.losses[0].value;  // N + R, 0 < R <= 1
  EXPECT_LT(ponder.min().item<double>(), 2.01);
  EXPECT_GT(ponder.max().item<double>(), 2.01);
}

}  // namespace
}  // namespace heed
