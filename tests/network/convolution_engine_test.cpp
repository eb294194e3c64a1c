// ConvolutionEngine beside ModelEngine, of the same models, and convolutional encoders of other engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "attention_variants.h"
#include "network/engine_comparison.h"

namespace heed {
namespace {

std::string convolutions(const std::string& more) {
  return "{type: convolution, layers: 2, width: 12" + more + "}";
}

struct ConvolutionVariant {
  const char* name;
  std::string encoder, decoder;
  std::string rest = "embedding: {width: 10}";
  std::string text() const {
    return fmt::format("{{encoder: {}, decoder: {}, {}}}", encoder, decoder, rest);
  }
};
void PrintTo(const ConvolutionVariant& variant, std::ostream* out) { *out << variant.text(); }

const std::vector<ConvolutionVariant>& convolution_variants() {
  static const std::vector<ConvolutionVariant> list = {
      {"plain", convolutions(""), convolutions("")},
      {"tied", convolutions(""), convolutions(""), "embedding: {width: 12, tie: all}"},
      {"tied_of_another_width", convolutions(""), convolutions(""),
       "embedding: {width: 10, tie: all}"},
      {"untied", convolutions(""), convolutions(""), "embedding: {width: 10, tie: none}"},
      {"no_weight_norm", convolutions(", weight_norm: false"), convolutions(", weight_norm: false"),
       "embedding: {width: 10, tie: none}"},
      {"normed_output", convolutions(""), convolutions(", weight_norm: false, normed_output: true"),
       "embedding: {width: 10, tie: none}, output: {type: vocabulary, bias: false}"},
      {"plain_output", convolutions(""), convolutions(", normed_output: false")},
      {"wide_kernels", convolutions(", kernel: 5"), convolutions(", kernel: 4")},
      {"kernels_of_one", convolutions(", kernel: 1"), convolutions(", kernel: 1")},
      {"few_positions", convolutions(", positions: {type: learned, max_positions: 6}"),
       convolutions(", positions: {type: learned, max_positions: 2}")},
      {"sinusoids", convolutions(", positions: sinusoidal"), convolutions(", positions: none")},
      {"additive", convolutions(""), convolutions(", attention: {score: additive}")},
      {"scaled_heads", convolutions(""),
       convolutions(", attention: {score: scaled_dot, heads: 2}")},
      {"general", convolutions(""), convolutions(", attention: {score: general}")},
      {"coverage", convolutions(""),
       convolutions(", attention: {score: {type: location, features: coverage, hidden: 14}}")},
      {"no_attention", convolutions(""), convolutions(", attention: none")},
      {"no_source_end", convolutions(""), convolutions(""),
       "embedding: {width: 10}, source_end: false"},
      {"pointer_generator", convolutions(""), convolutions(""),
       "embedding: {width: 10}, output: pointer_generator"},
      {"copynet", convolutions(""), convolutions(", attention: {score: general}"),
       "embedding: {width: 10}, output: copynet"},
      {"hard_monotonic", convolutions(""), convolutions(", attention: none"),
       "embedding: {width: 10}, output: {type: hard_monotonic, order: 0}"},
      {"wide", "{type: convolution, layers: 3, width: 64}",
       "{type: convolution, layers: 3, width: 96}", "embedding: {width: 48, tie: none}"},
      {"of_recurrent_states", "{type: rnn, width: 10}", convolutions("")},
      {"of_transformer_states",
       "{type: transformer, layers: 2, width: 10, feed_forward: 20, self_attention: {heads: 2}}",
       convolutions(", attention: {score: general}")},
      {"to_recurrent_states", convolutions(""),
       "{type: rnn, width: 12, attend: after, attention: {score: general}}"},
      {"to_recurrent_states_additive", convolutions(", kernel: 5"),
       "{type: rnn, cell: gru, width: 10, attention: {score: additive, read: {type: "
       "weighted_sum, project: true}}}",
       "embedding: {width: 10}, output: pointer_generator"},
  };
  return list;
}

// Factor of the weights: the context vector is multiplied by √m, so larger ones make log-probabilities of
// -500.
constexpr double kTimes = 1.4;

class EachConvolutionVariant : public testing::TestWithParam<ConvolutionVariant> {};
INSTANTIATE_TEST_SUITE_P(ConvolutionEngine, EachConvolutionVariant,
                         testing::ValuesIn(convolution_variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachConvolutionVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text(), kTimes);
}

TEST_P(EachConvolutionVariant, InFewerBitsIsNearTheModel) {
  expect_fewer_bits_are_near(GetParam().text());
}

TEST_P(EachConvolutionVariant, HasEqualScoresInEachSetOfKernels) {
  expect_equal_scores_in_each_set(GetParam().text());
}

TEST_P(EachConvolutionVariant, HasTheParametersOfTheModel) {
  expect_parameters_of_the_model(GetParam().text());
}

TEST(ConvolutionEngine, SearchFindsWhatItFindsWithTheModel) {
  expect_search_finds_the_same(convolution_variants()[0].text());
  expect_search_finds_the_same(convolution_variants()[2].text());
}

TEST(ConvolutionEngine, RefusesParametersThatAreNoNumbers) {
  for (const std::string name :
       {"decoder.layer_0.convolution.v", "encoder_source.layer_1.gain",
        "decoder.layer_1.to_query.bias", "encoder_source.input.positions.table"}) {
    expect_refuses_no_number(convolution_variants()[0].text(), name);
  }
}

// Every other attention mechanism is refused, or equal.
TEST(ConvolutionShape, IsThatOfNoOtherMechanism) {
  int64_t others = 0;
  for (const auto& [name, attention] : attention_variants()) {
    const std::string text = fmt::format(
        "{{embedding: {{width: 8}}, encoder: {{type: convolution, layers: 1, width: 8}}, decoder: "
        "{{type: convolution, layers: 2, width: 8, attention: {}}}}}",
        attention);
    ModelConfig config;
    if (!find_problems(text, name, config).empty()) continue;
    if (!engine_shape(saved(config))) {
      ++others;
      continue;
    }
    const auto model = random_model(config, kPieces, 3, torch::kFloat, kTimes);
    SCOPED_TRACE(name);
    expect_same_decoding(*engine_of(*model, config), ModelEngine({model}, {"source"}), 2e-4);
  }
  EXPECT_GT(others, 50);
}

TEST(ConvolutionShape, IsThatOfNoTransformerDecoder) {
  EXPECT_FALSE(engine_shape(saved(config_from(
      "{embedding: {width: 8}, encoder: {type: convolution, layers: 1, width: 8}, decoder: {type: "
      "transformer, layers: 1, width: 8, feed_forward: 8, self_attention: {heads: 2}, attention: "
      "{heads: 2}}}"))));
}

}  // namespace
}  // namespace heed
