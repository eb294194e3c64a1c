// RecurrentEngine beside ModelEngine, of the same models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "attention_variants.h"
#include "network/engine_comparison.h"

namespace heed {
namespace {

struct RecurrentVariant {
  const char* name;
  std::string encoder, decoder;  // further keys
  std::string rest = "embedding: {width: 10}";
  int64_t encoder_width = 12, decoder_width = 12;
  std::string text() const {
    return fmt::format(
        "{{encoder: {{type: rnn, width: {}{}}}, decoder: {{type: rnn, width: {}{}}}, {}}}",
        encoder_width, encoder, decoder_width, decoder, rest);
  }
};
void PrintTo(const RecurrentVariant& variant, std::ostream* out) { *out << variant.text(); }

// Further keys of a decoder: those of Luong et al. 2015.
const std::string kLuong =
    ", attend: after, input_feeding: true, output_activation: tanh, deep_output: false";

const std::vector<RecurrentVariant>& recurrent_variants() {
  static const std::vector<RecurrentVariant> list = {
      {"before", "", ""},
      {"luong", "", ", attention: {score: general}" + kLuong},
      {"gru", ", cell: gru", ", cell: gru, attention: {score: dot}" + kLuong},
      {"rnn", ", cell: rnn", ", cell: rnn, attention: {score: scaled_dot}"},
      {"gru_to_lstm", ", cell: gru", ", attention: {score: general}" + kLuong},
      {"lstm_to_gru", "", ", cell: gru"},
      {"deep", ", layers: 3, residual: true",
       ", layers: 4, residual: true, bridge: none, attention: {score: concat}" + kLuong},
      {"deep_bahdanau", ", layers: 2", ", layers: 3, residual: true"},
      {"last", ", layers: 2", ", layers: 2, bridge: last, attention: {score: general}" + kLuong},
      {"one_direction", ", bidirectional: false, reverse: true",
       ", attention: {score: general}" + kLuong},
      {"reversed", ", reverse: true, layers: 2, residual: true", ", output_activation: tanh"},
      {"heads", "", ", attention: {score: {type: additive, hidden: 15}, heads: 3}"},
      {"dot_heads", "", ", attention: {score: scaled_dot, heads: 2}" + kLuong},
      {"wide_dot", "", ", attention: {score: {type: dot, project: true, width: 20}, heads: 4}"},
      {"general_heads", "", ", attention: {score: general, heads: 2}" + kLuong},
      {"values", "", ", attention: {read: {type: weighted_sum, project: true}}"},
      {"wide_encoder", "", ", attention: {score: general}, attend: after, output_activation: tanh",
       "embedding: {width: 10}", 20},
      {"tied", "", "", "embedding: {width: 10, tie: all}"},
      {"untied", "", ", attention: {score: general}" + kLuong,
       "embedding: {width: 16, tie: none}, output: {type: vocabulary, bias: false}"},
      {"wide", "", "", "embedding: {width: 96, tie: all}", 64, 96},
      {"linear", "",
       ", attention: {score: general}, attend: after, input_feeding: true, deep_output: false, "
       "output_activation: linear"},
      {"shared_bridge", ", layers: 2", ", layers: 3, bridge: shared"},
      {"shared_bridge_gru", ", cell: gru",
       ", cell: gru, layers: 2, attention: {score: general}, bridge: shared" + kLuong},
      {"reset_before", ", cell: gru, reset: before, layers: 2",
       ", cell: gru, reset: before, layers: 2"},
      {"reset_before_in_the_decoder", ", bidirectional: false",
       ", cell: gru, reset: before" + kLuong},
      {"previous", ", layers: 2", ", layers: 2, output_state: previous, input_feeding: true"},
      {"output_width", "", ", output_width: 8, input_feeding: true"},
      {"output_width_luong", "", ", output_width: 20" + kLuong},
      {"bridge_backward", ", layers: 2", ", layers: 3, bridge: backward"},
      {"bridge_backward_gru", ", cell: gru", ", cell: gru, bridge: backward, output_width: 6"},
      {"relu_bridge", "", ", layers: 2, bridge: relu"},
      {"context_feeding", "", ", context_feeding: true, attend: after, input_feeding: true"},
      {"context_feeding_before", "", ", context_feeding: true, layers: 2"},
      {"state_and_memory", "", ", read_state: hidden_and_cell, layers: 2"},
      {"state_and_memory_after", "",
       ", read_state: hidden_and_cell, residual: true, layers: 3, " +
           std::string("attention: {score: general}") + kLuong},
      {"state_itself", "", ", output_activation: none, input_feeding: true"},
      {"coverage", "", ", attention: {score: {type: location, features: coverage, hidden: 14}}"},
      {"coverage_of_heads", "",
       ", attention: {heads: 2, score: {type: location, features: "
       "coverage, hidden: 14}}" +
           kLuong},
      {"no_attention", "", ", attention: none, input_feeding: true"},
      {"pointer_generator", "", "", "embedding: {width: 10}, output: pointer_generator"},
      {"pointer_generator_of_heads", "", ", attention: {score: additive, heads: 2}" + kLuong,
       "embedding: {width: 10, tie: none}, output: {type: pointer_generator, copy_end: true}"},
      {"pointer_generator_of_states", "", ", read_state: hidden_and_cell",
       "embedding: {width: 10}, source_end: false, output: {type: pointer_generator, state: "
       "decoder, bias: false}"},
      {"copynet", "", "", "embedding: {width: 10}, output: copynet"},
      {"copynet_of_states", "", ", output_activation: none",
       "embedding: {width: 10}, source_end: false, output: {type: copynet, state: decoder}"},
      {"copynet_of_the_end", "", ", context_feeding: true, deep_output: true",
       "embedding: {width: 10}, output: {type: copynet, copy_end: true}"},
      {"pointer", "", "", "embedding: {width: 10}, output: {type: pointer, hidden: 14}"},
      {"pointer_of_states", "", ", attention: none, output_activation: none",
       "embedding: {width: 10}, source_end: false, output: {type: pointer, hidden: 14, state: "
       "decoder}"},
      {"hard_attention", "", ", attention: none",
       "embedding: {width: 10}, output: {type: hard_monotonic, order: 0, monotonic: false}"},
      {"hard_monotonic", "", ", attention: none",
       "embedding: {width: 10}, output: {type: hard_monotonic, order: 0}"},
      {"hard_monotonic_jumps", "", ", attention: none, input_feeding: true",
       "embedding: {width: 10}, source_end: false, output: {type: hard_monotonic, window: 2}"},
      {"hard_jumps", "", ", attention: none",
       "embedding: {width: 10, tie: none}, output: {type: hard_monotonic, window: 3, monotonic: "
       "false, bias: false}"},
      {"no_source_end", "", "", "embedding: {width: 10}, source_end: false"},
      {"dropout", ", dropout: 0.1, dropout_mask: sequence, variational_dropout: 0.1",
       ", dropout: 0.1, dropout_mask: sequence, variational_dropout: 0.1"},
  };
  return list;
}

class EachRecurrentVariant : public testing::TestWithParam<RecurrentVariant> {};
INSTANTIATE_TEST_SUITE_P(RecurrentEngine, EachRecurrentVariant,
                         testing::ValuesIn(recurrent_variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachRecurrentVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text());
}

TEST_P(EachRecurrentVariant, InFewerBitsIsNearTheModel) {
  expect_fewer_bits_are_near(GetParam().text());
}

TEST_P(EachRecurrentVariant, HasTheParametersOfTheModel) {
  expect_parameters_of_the_model(GetParam().text());
}

TEST(RecurrentEngine, SearchFindsWhatItFindsWithTheModel) {
  expect_search_finds_the_same(recurrent_variants()[0].text());
  expect_search_finds_the_same(recurrent_variants()[1].text());
  expect_search_finds_the_same(
      "{preset: bahdanau, embedding: {width: 9}, encoder: {width: 16}, decoder: {width: 12, "
      "output_width: 10, attention: {score: {hidden: 15}}}}");
  expect_search_finds_the_same(
      "{preset: see, embedding: {width: 9}, encoder: {width: 16}, decoder: {width: 12, attention: "
      "{score: {hidden: 15}}}}");
  expect_search_finds_the_same(
      "{preset: copynet, embedding: {width: 9}, encoder: {width: 16}, decoder: {width: 12, "
      "attention: {score: {hidden: 15}}}}");
  expect_search_finds_the_same(
      "{preset: pointer_network, embedding: {width: 9}, encoder: {width: 16}, decoder: {width: "
      "16}, "
      "output: {hidden: 14}}");
}

// CopyNet reads the states of all positions of a token, by their scores.
TEST(RecurrentEngine, CopyNetReadsEachPositionOfAToken) {
  const ModelConfig config = config_from(
      "{preset: copynet, embedding: {width: 9}, encoder: {width: 16}, decoder: {width: 12}}");
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto engine = engine_of(*model, config);
  const ModelEngine expected({model}, {"source"});
  const auto examples = examples_of({{5, 7, 5, 8, 5}, {9, 10, 9}});
  const auto own = engine->start(pointers_to(examples), true),
             reference = expected.start(pointers_to(examples), true);
  expect_same_step(*own, *reference, {kBegin, kBegin}, 2e-4);
  expect_same_step(*own, *reference, {5, kPieces}, 2e-4);
  expect_same_step(*own, *reference, {5, 10}, 2e-4);
}

// A sentence is decoded as alone, whatever other sentences are encoded with it.
TEST(RecurrentEngine, DoesNotDependOnOtherSentences) {
  const ModelConfig config = config_from(recurrent_variants()[0].text());
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto engine = engine_of(*model, config);
  const auto examples = examples_of(random_sentences(9, 14, kPieces, 4));
  const auto together = engine->start(pointers_to(examples), false);
  together->step(std::vector<int32_t>(examples.size(), kBegin));
  const auto found = all_log_probs(*together);
  for (size_t i = 0; i < examples.size(); ++i) {
    const auto alone = engine->start({&examples[i]}, false);
    alone->step({kBegin});
    const std::vector<double> own(found.begin() + i * kIds, found.begin() + (i + 1) * kIds);
    EXPECT_THAT(own, testing::Pointwise(testing::DoubleNear(1e-5), all_log_probs(*alone)));
  }
}

TEST(RecurrentEngine, RefusesParametersThatAreNoNumbers) {
  for (const std::string name :
       {"decoder.layer_0.weight_hidden", "encoder_source.layer_0_backward.bias_input",
        "decoder.attention.score.v", "decoder.bridge_0.weight", "decoder.output.bias"}) {
    expect_refuses_no_number(recurrent_variants()[0].text(), name);
  }
}

// Every other attention mechanism is refused, or equal.
TEST(RecurrentShape, IsThatOfNoOtherMechanism) {
  int64_t others = 0;
  for (const auto& [name, attention] : attention_variants()) {
    for (const std::string attend : {"before", "after, input_feeding: true"}) {
      const std::string text = fmt::format(
          "{{embedding: {{width: 8}}, encoder: {{type: rnn, width: 8}}, decoder: {{type: rnn, "
          "width: 8, attend: {}, attention: {}}}}}",
          attend, attention);
      ModelConfig config;
      if (!find_problems(text, name, config).empty()) continue;
      if (!engine_shape(saved(config))) {
        ++others;
        continue;
      }
      const auto model = random_model(config, kPieces, 3, torch::kFloat);
      SCOPED_TRACE(name + " " + attend);
      expect_same_decoding(*engine_of(*model, config), ModelEngine({model}, {"source"}), 2e-4);
    }
  }
  EXPECT_GT(others, 50);
}

TEST(RecurrentShape, IsThatOfNoOtherModel) {
  for (const RecurrentVariant& other : std::vector<RecurrentVariant>{
           {"norm", ", layer_norm: true", ""},
           {"decoder_norm", "", ", layer_norm: true"},
           {"conditional", "", ", attend: conditional"},
           {"deep_encoder", ", transition_depth: 2", ""},
           {"deep_decoder", "", ", layers: 2, transition_depth: 2, base_transition_depth: 1"},
           {"deep_context", "", ", layers: 2, deep_context: true"},
           {"deep_base", "", ", base_transition_depth: 2"},
           {"normalized", "", ", attention: {score: {type: additive, normalize: true}}"},
           {"term", "", ", attention: {score: dot, terms: [gaussian]}"},
           {"convolved", "", ", attention: {score: location}"},
           {"entmax", "", "", "output: entmax"},
           {"head", "", ", attention: {score: additive, heads: 2}",
            "output: {type: pointer_generator, head: 1}"}}) {
    EXPECT_FALSE(engine_shape(saved(config_from(other.text())))) << other.name;
  }
}

}  // namespace
}  // namespace heed
