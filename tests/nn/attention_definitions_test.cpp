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

// Adds a kind to the list that is computed as another one.
template <class Base>
void add_kind(Registry<Base>& registry, const char* name, const std::string& as) {
  registry.push_back({name, "", [&registry, as] { return fresh_kind(registry, as); }});
  mechanism_builders<Base>()[name] = mechanism_builders<Base>().at(as);
}

std::string complaint_about(const Case& c) {
  const auto attention = build(*c.config(), c.dims());
  attention->to(torch::kDouble);
  const Matrix words(2, kKey);
  const Sentence sentence{
      .query = words, .keys = words, .values = words, .mask = everything(2, 2), .lengths = {2, 2}};
  try {
    Definition(c, *attention).read(sentence);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(AttentionDefinition, NamesAMechanismWithoutAReference) {
  EXPECT_EQ(complaint_about({}), "");
  add_kind(scorers(), "new_score", "scaled_dot");
  add_kind(terms(), "new_term", "local");
  add_kind(normalizers(), "new_normalizer", "softmax");
  add_kind(readouts(), "new_read", "weighted_sum");
  add_kind(head_combinations(), "new_combination", "concat");
  const auto expect_named = [](const Case& c, const std::string& name) {
    EXPECT_EQ(complaint_about(c),
              "no reference for '" + name + "'; add it to tests/nn/attention_definition.h");
  };
  expect_named({.score = "new_score"}, "new_score");
  expect_named({.term = "new_term"}, "new_term");
  expect_named({.normalizer = "new_normalizer"}, "new_normalizer");
  expect_named({.read = "new_read"}, "new_read");
  expect_named({.combination = "new_combination"}, "new_combination");
  scorers().pop_back();
  terms().pop_back();
  normalizers().pop_back();
  readouts().pop_back();
  head_combinations().pop_back();
}

}  // namespace
}  // namespace heed
