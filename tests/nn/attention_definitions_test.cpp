// Every attention equals the equations of its papers.
#include <gtest/gtest.h>

#include "nn/attention_definition.h"

namespace heed {
namespace {

class AttentionDefinitions : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const Definition definition(GetParam(), *attention_);
    for (int64_t r = 0; r < 3; ++r) {
      const Expected expected = definition.read(sentence(r));
      expect_close(actual.context[r], tensor_of(expected.context), tolerance, "context");
      for (size_t h = 0; h < expected.weights.size(); ++h) {
        expect_close(actual.weights[r][static_cast<int64_t>(h)], tensor_of(expected.weights[h]),
                     tolerance, "weights of head " + std::to_string(h));
      }
      if (GetParam().disagreement.empty()) continue;
      ASSERT_EQ(actual.losses.size(), 1U);
      expect_close(actual.losses[0].value[r], tensor_of(expected.losses), tolerance, "loss");
    }
  }
};

TEST_P(AttentionDefinitions, EqualTheEquations) { compare(); }

INSTANTIATE_TEST_SUITE_P(All, AttentionDefinitions, testing::ValuesIn(staged_cases()),
                         [](const auto& variant) { return variant.param.name(); });

}  // namespace
}  // namespace heed
