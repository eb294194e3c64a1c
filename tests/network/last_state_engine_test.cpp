// LastStateEngine beside ModelEngine, of the same models, and hierarchical encoders of other engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "network/engine_comparison.h"

namespace heed {
namespace {

struct DocumentVariant {
  const char* name;
  std::string encoder, rest = "decoder: none, output: label";
  std::string embedding = "embedding: {width: 10, tie: none}";
  std::string text() const {
    return fmt::format("{{encoder: {{{}}}, {}, {}}}", encoder, rest, embedding);
  }
};
void PrintTo(const DocumentVariant& variant, std::ostream* out) { *out << variant.text(); }

// Further keys of a hierarchical encoder.
std::string documents(const std::string& more) {
  return "type: hierarchical, word_encoder: {type: rnn, cell: gru, width: 12}, sentence_encoder: "
         "{type: rnn, cell: gru, width: 14}" +
         more;
}

const std::vector<DocumentVariant>& document_variants() {
  static const std::string attention = ", pool: {type: attention, hidden: 9}",
                           document = ", last: {type: attention, hidden: 11}";
  static const std::vector<DocumentVariant> list = {
      {"label", "type: rnn, width: 12"},
      {"label_without_bias", "type: rnn, cell: gru, width: 12, layers: 2",
       "decoder: none, output: {type: label, bias: false}"},
      {"tied", "type: rnn, width: 12", "decoder: none, output: label, source_end: false",
       "embedding: {width: 10, tie: all}"},
      {"of_a_transformer",
       "type: transformer, layers: 1, width: 12, feed_forward: 12, self_attention: {heads: 2}"},
      {"of_convolutions", "type: convolution, layers: 2, width: 12"},
      {"hierarchical", documents(attention + document),
       "decoder: none, output: label, source_end: false"},
      {"marker_is_no_word", documents(attention + document + ", marker_is_word: false")},
      {"words_of_the_text", documents(attention + document + ", word_context: text")},
      {"words_of_the_text_without_markers",
       documents(document + ", word_context: text, marker_is_word: false, pool: mean")},
      {"last_of_the_encoder", documents(attention)},
      {"mean", documents(", pool: mean")},
      {"sum", documents(", pool: sum, marker_is_word: false")},
      {"last_word", documents(", pool: last")},
      {"of_a_decoder", documents(attention), "decoder: {type: rnn, width: 12, attention: none}"},
  };
  return list;
}

class EachDocumentVariant : public testing::TestWithParam<DocumentVariant> {};
INSTANTIATE_TEST_SUITE_P(LastStateEngine, EachDocumentVariant,
                         testing::ValuesIn(document_variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachDocumentVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text());
}

TEST_P(EachDocumentVariant, InFewerBitsIsNearTheModel) {
  expect_fewer_bits_are_near(GetParam().text());
}

TEST_P(EachDocumentVariant, HasEqualScoresInEachSetOfKernels) {
  expect_equal_scores_in_each_set(GetParam().text());
}

TEST_P(EachDocumentVariant, HasTheParametersOfTheModel) {
  expect_parameters_of_the_model(GetParam().text());
}

TEST(LastStateEngine, JoinsSeveralSources) {
  expect_engine_equals_model(
      "{encoders: {a: {type: rnn, width: 12}, b: {type: rnn, cell: gru, width: 8}}, decoder: none, "
      "output: label, embedding: {width: 10, tie: none}}");
  expect_engine_equals_model(
      "{encoders: {a: {type: rnn, width: 12}, b: {type: shared, with: a}}, join: {type: "
      "co_attention, "
      "hidden: 14}, decoder: none, output: label, embedding: {width: 10, tie: none}}");
}

TEST(LastStateShape, IsThatOfNoOtherModel) {
  for (const DocumentVariant& other :
       std::vector<DocumentVariant>{{"position", documents(", pool: position")},
                                    {"words", documents(", states: words")},
                                    {"attention", documents(""), "decoder: {type: rnn, width: 12}"},
                                    {"memories", "type: rnn, width: 12, memory_tape: true"}}) {
    EXPECT_FALSE(engine_shape(saved(config_from(other.text())))) << other.name;
  }
}

}  // namespace
}  // namespace heed
