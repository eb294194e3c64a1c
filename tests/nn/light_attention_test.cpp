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
};

TEST_P(LightAttentions, EqualTheEquations) { compare(); }

std::vector<Case> light_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside == "average" || c.beside == "ssru") cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, LightAttentions, testing::ValuesIn(light_cases()),
                         [](const auto& variant) { return variant.param.name(); });

}  // namespace
}  // namespace heed
