// RecurrentEngine without a source beside ModelEngine, of the same language models, and attention to the
// past of a decoder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "network/engine_comparison.h"

namespace heed {
namespace {

struct PastVariant {
  const char* name;
  std::string encoder, decoder;  // further keys of the decoder
  std::string text() const {
    return fmt::format(
        "{{encoder: {}, decoder: {{type: rnn, width: 12{}}}, embedding: {{width: 10}}}}", encoder,
        decoder);
  }
};
void PrintTo(const PastVariant& variant, std::ostream* out) { *out << variant.text(); }

const std::vector<PastVariant>& past_variants() {
  static const std::string source = "{type: rnn, width: 12}";
  static const std::vector<PastVariant> list = {
      {"language_model", "none", ", attention: none, output_activation: tanh"},
      {"language_model_of_layers", "none",
       ", attention: none, cell: gru, layers: 2, residual: true, input_feeding: true"},
      {"whole", "none", ", attention: none, past: {parts: whole}"},
      {"key_value", "none",
       ", attention: none, past: {attention: {score: dot}}, input_feeding: true"},
      {"key_value_predict", "none",
       ", attention: none, output_activation: tanh, deep_output: false, past: {parts: "
       "key_value_predict, attention: {score: {type: additive, hidden: 9}}}"},
      {"heads", "none",
       ", attention: none, past: {attention: {score: scaled_dot, heads: 3, terms: [directional]}}"},
      {"with_the_current_state", "none",
       ", attention: none, past: {parts: whole, attention: {score: general, terms: []}}"},
      {"of_a_translator", source, ", past: {}, input_feeding: true"},
      {"of_layers", source, ", past: {parts: key_value_predict}, layers: 2, residual: true"},
  };
  return list;
}

class EachPastVariant : public testing::TestWithParam<PastVariant> {};
INSTANTIATE_TEST_SUITE_P(PastEngine, EachPastVariant, testing::ValuesIn(past_variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachPastVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text());
}

TEST_P(EachPastVariant, InFewerBitsIsNearTheModel) {
  expect_fewer_bits_are_near(GetParam().text());
}

TEST_P(EachPastVariant, HasEqualScoresInEachSetOfKernels) {
  expect_equal_scores_in_each_set(GetParam().text());
}

TEST_P(EachPastVariant, HasTheParametersOfTheModel) {
  expect_parameters_of_the_model(GetParam().text());
}

TEST(PastShape, IsThatOfNoOtherAttention) {
  for (const std::string attention :
       {"{score: dot, terms: [alibi]}", "{score: dot, terms: [directional, alibi]}",
        "{score: cosine}", "{score: {type: location, features: coverage}}",
        "{score: dot, normalizer: sparsemax}"}) {
    const PastVariant other{"", "none", ", attention: none, past: {attention: " + attention + "}"};
    EXPECT_FALSE(engine_shape(saved(config_from(other.text())))) << attention;
  }
}

}  // namespace
}  // namespace heed
