// Replacements of a decoder's self-attention equal their definitions.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
#include "reference/layers.h"
#include "reference/light_attention.h"

namespace heed {
namespace {

class LightAttentions : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const auto parameters = parameters_of(*attention_);
    const auto matrix = [&](const char* name) { return matrix_of(parameters.at(name)); };
    const auto vector = [&](const char* name) { return vector_of(parameters.at(name)); };
    for (int64_t r = 0; r < 3; ++r) {
      const reference::Matrix x = matrix_of(query_[r]);
      reference::Matrix expected;
      if (GetParam().beside == "ssru") {
        expected = reference::ssru(x, matrix("input.weight"), matrix("forget.weight"),
                                   vector("forget.bias"));
      } else if (GetParam().beside.starts_with("gated_linear")) {
        expected = gated_linear(x);
      } else {
        const reference::FeedForward weights{.inner = matrix("feed_forward.inner.weight"),
                                             .gate = {},
                                             .outer = matrix("feed_forward.outer.weight"),
                                             .inner_bias = vector("feed_forward.inner.bias"),
                                             .gate_bias = {},
                                             .outer_bias = vector("feed_forward.outer.bias")};
        expected = reference::average_attention(
            x,
            [&](const reference::Vector& mean) {
              return reference::feed_forward(mean, weights, "relu");
            },
            matrix("gates.weight"), vector("gates.bias"));
      }
      expect_close(actual.context[r], tensor_of(expected), tolerance, "context");
    }
  }

 private:
  // Two heads.
  reference::Matrix gated_linear(const reference::Matrix& x) const {
    const auto parameters = parameters_of(*attention_);
    const auto matrix = [&](const char* name) { return matrix_of(parameters.at(name)); };
    const auto projected = [&](const char* name) { return reference::affine(matrix(name), {}, x); };
    const reference::Matrix q = projected("query.weight"), k = projected("key.weight"),
                            v = projected("value.weight");
    reference::Matrix contexts(v.rows, v.columns);
    for (size_t h = 0; h < 2; ++h) {
      reference::Matrix scores =
          scores_of(h, reference::head_of(q, h, 2), reference::head_of(k, h, 2), x);
      for (double& score : scores.numbers) score /= std::sqrt(static_cast<double>(q.columns / 2));
      const auto c = reference::weighted_sum(scores, reference::head_of(v, h, 2));
      for (size_t t = 0; t < c.rows; ++t) {
        for (size_t i = 0; i < c.columns; ++i) contexts(t, h * c.columns + i) = c(t, i);
      }
    }
    return reference::gated_output(x, contexts, 2, vector_of(parameters.at("norm.weight")),
                                   matrix("gate.weight"), vector_of(parameters.at("gate.bias")),
                                   matrix("output.weight"));
  }
  reference::Matrix scores_of(size_t h, const reference::Matrix& q, const reference::Matrix& k,
                              const reference::Matrix& x) const {
    const std::string& name = GetParam().beside;
    if (name.starts_with("gated_linear_fixed")) {
      const double gamma = 1 - std::pow(2.0, -5.0 - static_cast<double>(h));
      return reference::retention_scores(q, k, gamma, name == "gated_linear_fixed");
    }
    const auto parameters = parameters_of(*attention_);
    const auto matrix = [&](const char* of) { return matrix_of(parameters.at(of)); };
    reference::Matrix alpha =
        reference::affine(matrix("decay.up.weight"), vector_of(parameters.at("decay.up.bias")),
                          reference::affine(matrix("decay.down.weight"), {}, x));
    for (double& a : alpha.numbers) a = std::pow(reference::sigmoid(a), 1.0 / 2);  // τ = 2
    return reference::gated_scores(q, k, reference::head_of(alpha, h, 2));
  }
};

TEST_P(LightAttentions, EqualTheEquations) { compare(); }

std::vector<Case> light_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside == "average" || c.beside == "ssru" || c.beside.starts_with("gated_linear"))
      cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, LightAttentions, testing::ValuesIn(light_cases()),
                         [](const auto& variant) { return variant.param.name(); });

// A long sequence at once, in several chunks, equals the recurrence, step by step.
class GatedLinear : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int64_t kLength = 70;
  GatedLinear() : attention_(build(*attention_of(GetParam()), kDims)) { fill(*attention_); }

  // The tokens of x, so many in each call.
  Tensor contexts(const Tensor& x, int64_t count) const {
    State state(attention_->layout(), x.size(0), Pass(), torch::kCPU);
    std::vector<Tensor> contexts;
    for (int64_t begin = 0; begin < kLength; begin += count) {
      const Tensor some = x.narrow(1, begin, std::min(count, kLength - begin));
      const Tensor positions = positions_from(begin, x.size(0), some.size(1));
      contexts.push_back(
          attention_->attend_past(some, some, some, positions, state.view()).context);
    }
    return torch::cat(contexts, 1);
  }
  void compare(double size) const {
    const Tensor x = uniform({2, kLength, 8}, "x", size), steps = contexts(x, 1);
    for (const int64_t count : {int64_t{7}, int64_t{16}, int64_t{33}, kLength})
      expect_close(contexts(x, count), steps, kExact, std::to_string(count));
  }

  inline static const AttentionDims kDims{
      .place = Place::kDecoderSelf, .query = 8, .source = {.key = 8, .value = 8}, .block = 8};
  std::shared_ptr<Attention> attention_;
};

TEST_P(GatedLinear, ChunksEqualTheRecurrence) { compare(1); }

// Gates that close at once or never, and a product of scores that overflows nowhere.
TEST_P(GatedLinear, ChunksEqualTheRecurrenceWithExtremeInput) { compare(1e4); }

INSTANTIATE_TEST_SUITE_P(
    All, GatedLinear,
    testing::Values("{type: gated_linear, decay: fixed, heads: 2}",
                    "{type: gated_linear, decay: gated, heads: 2}",
                    "{type: gated_linear, decay: {type: gated, temperature: 0.1}, heads: 2}"),
    [](const auto& test) { return std::to_string(test.index); });

}  // namespace
}  // namespace heed
