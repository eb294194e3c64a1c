// TransformerEngine compared with ModelEngine, for the same models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "attention_variants.h"
#include "holds.h"
#include "network/engine_comparison.h"

#include <regex>

namespace heed {
namespace {

std::string model_of(const std::string& common, const std::string& decoder = "",
                     const std::string& rest = "embedding: {width: 12}") {
  const std::string stack = "{type: transformer, layers: 2, feed_forward: 20, " + common;
  const std::string heads = "{score: scaled_dot, heads: 2}";
  return fmt::format(
      "{{encoder: {0}, self_attention: {1}}}, decoder: {0}, self_attention: {1}{2}}}, {3}}}", stack,
      heads, decoder.empty() ? ", attention: " + heads : decoder, rest);
}

// A model with this self-attention in encoder and decoder, and this attention over the source.
std::string attention_model(const std::string& encoder, const std::string& decoder,
                            const std::string& source = "{score: scaled_dot, heads: 2}",
                            const std::string& of_decoder = "", const std::string& common = "") {
  const std::string stack =
      "{type: transformer, layers: 2, width: 24, feed_forward: 20" + common + ", self_attention: ";
  return fmt::format(
      "{{encoder: {0}{1}}}, decoder: {0}{2}, attention: {3}{4}}}, embedding: {{width: 24}}}}",
      stack, encoder, decoder, source, of_decoder);
}
std::string attention_model(const std::string& self) { return attention_model(self, self); }
constexpr const char* kHeads = "{score: scaled_dot, heads: 2}";

struct Variant {
  const char* name;
  std::string text;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> list = {
      {"pre", model_of("width: 12")},
      {"post", model_of("width: 12, norm: post")},
      {"embedding_norm", model_of("width: 12, embedding_norm: true, positions: learned")},
      {"embedding_norm_rms",
       model_of("width: 16, embedding_norm: true, norm_type: rms", "", "embedding: {width: 10}")},
      {"no_final_norm",
       model_of("width: 12")
           .replace(model_of("width: 12").find("width: 12"), 9, "width: 12, final_norm: false")},
      {"gelu", model_of("width: 12, activation: gelu")},
      {"gated", model_of("width: 12, activation: gated")},
      {"gated_gelu", model_of("width: 12, activation: gated_gelu")},
      {"gated_gelu_tanh", model_of("width: 12, activation: gated_gelu_tanh")},
      {"silu", model_of("width: 12, activation: silu")},
      {"halves", model_of("width: 12, positions: {type: sinusoidal, layout: halves}")},
      {"fairseq", model_of("width: 12, positions: {type: sinusoidal, layout: fairseq}")},
      {"fairseq_odd",
       std::regex_replace(model_of("width: 9, positions: {type: sinusoidal, layout: fairseq}", "",
                                   "embedding: {width: 9}"),
                          std::regex("heads: 2"), "heads: 3")},
      {"opennmt_tf", model_of("width: 12, positions: {type: sinusoidal, layout: opennmt_tf}")},
      {"marian", model_of("width: 12, positions: {type: sinusoidal, layout: marian}")},
      {"learned", model_of("width: 12, positions: {type: learned, max_positions: 6}")},
      {"no_positions", model_of("width: 12, positions: none, scale_embedding: false")},
      {"narrow", model_of("width: 16, norm: post", "", "embedding: {width: 10, tie: all}")},
      {"untied",
       model_of("width: 12", "",
                "embedding: {width: 10, tie: none}, output: {type: vocabulary, bias: false}")},
      {"more_heads", model_of("width: 12", ", attention: {score: scaled_dot, heads: 4}")},
      {"wide_encoder",
       model_of("width: 12").replace(model_of("width: 12").find("width: 12"), 9, "width: 16")},
      {"one_head", model_of("width: 12", ", attention: {score: scaled_dot, heads: 1}")},
      {"no_source_end", model_of("width: 12", "", "embedding: {width: 12}, source_end: false")},
      {"pointer_generator",
       model_of("width: 12", "", "embedding: {width: 10}, output: pointer_generator")},
      {"pointer_generator_post",
       model_of("width: 12, norm: post", "",
                "embedding: {width: 12}, source_end: false, output: {type: pointer_generator}")},
      {"pointer",
       model_of("width: 12", "", "embedding: {width: 12}, output: {type: pointer, hidden: 9}")},
      {"wide", model_of("width: 64", "", "embedding: {width: 64, tie: all}")},
      {"rms", model_of("width: 12, norm_type: rms")},
      {"rms_post", model_of("width: 12, norm_type: rms, norm: post")},
      {"deep", model_of("width: 12, norm: deep")},
      {"admin", model_of("width: 12, norm: admin, norm_type: rms")},
      {"ssru", attention_model(kHeads, "ssru")},
      {"ssru_post", attention_model(kHeads, "ssru", kHeads, "", ", norm: post")},
      {"average", attention_model(kHeads, "{type: average, feed_forward: 10}")},
      {"average_deep",
       attention_model(kHeads, "{type: average, feed_forward: 10}", kHeads, "", ", norm: deep")},
      {"ssru_below_heads", attention_model(kHeads, "ssru", kHeads,
                                           ", self_attention_by_layer: {2: {score: scaled_dot, "
                                           "heads: 3}}")},
      {"average_above_heads",
       attention_model(kHeads, kHeads, kHeads,
                       ", self_attention_by_layer: {2: {type: average, feed_forward: 10}}")},
      {"by_layer",
       attention_model(kHeads, kHeads, kHeads,
                       ", attention_by_layer: {1: {score: scaled_dot, heads: 4}}",
                       ", self_attention_by_layer: {1: {score: scaled_dot, heads: 3}}")},
      {"source_in_one_layer",
       attention_model(kHeads, kHeads, kHeads, ", attention_by_layer: {2: none}")},
      {"deep_with_source_in_one_layer",
       attention_model(kHeads, kHeads, kHeads, ", attention_by_layer: {1: none}", ", norm: deep")},
      {"aligned_layer", attention_model(kHeads, kHeads, kHeads, ", alignment: {layer: 1}")},
      {"aligned_heads", attention_model(kHeads, kHeads, "{score: scaled_dot, heads: 4}",
                                        ", alignment: {layer: 1, heads: [4, 2]}")},
      {"grouped", attention_model("{score: scaled_dot, heads: 4, key_value_heads: 2}",
                                  "{score: scaled_dot, heads: 6, key_value_heads: 2}",
                                  "{score: scaled_dot, heads: 6, key_value_heads: 3}")},
      {"multi_query", attention_model("{score: scaled_dot, heads: 4, key_value_heads: 1}",
                                      "{score: scaled_dot, heads: 3, key_value_heads: 1}",
                                      "{score: scaled_dot, heads: 4, key_value_heads: 1}")},
      {"grouped_aligned_head",
       attention_model(kHeads, kHeads, "{score: scaled_dot, heads: 6, key_value_heads: 2}",
                       ", alignment: {heads: [5]}")},
      {"unscaled", attention_model("{score: dot, heads: 2}", "{score: dot, heads: 2}",
                                   "{score: dot, heads: 2}")},
      {"narrow_values",
       attention_model("{score: scaled_dot, read: {type: weighted_sum, width: 12}, heads: 2}",
                       "{score: scaled_dot, read: {type: weighted_sum, width: 32}, heads: 2}",
                       "{score: {type: dot, width: 6}, read: {type: weighted_sum, width: 6}, "
                       "heads: 3}")},
      {"narrow_scores", attention_model("{score: {type: scaled_dot, width: 12}, heads: 2}",
                                        "{score: {type: scaled_dot, width: 32}, heads: 2}",
                                        "{score: {type: scaled_dot, width: 6}, heads: 3}")},
      {"l2", attention_model("{score: {type: scaled_dot, query_key_norm: l2}, heads: 2}",
                             "{score: {type: dot, query_key_norm: l2}, heads: 3}",
                             "{score: {type: scaled_dot, query_key_norm: l2}, heads: 4}")},
      {"rms_of_heads",
       attention_model("{score: {type: scaled_dot, query_key_norm: rms}, heads: 2}",
                       "{score: {type: rotary, query_key_norm: rms}, heads: 3}",
                       "{score: {type: dot, query_key_norm: rms}, heads: 4, key_value_heads: 2}")},
      {"rotary", attention_model("{score: rotary, heads: 2}")},
      {"rotary_linear", attention_model("{score: {type: rotary, factor: 3}, heads: 2}")},
      {"rotary_ntk", attention_model("{score: {type: rotary, base: 100, factor: 3, scaling: ntk}, "
                                     "heads: 2, key_value_heads: 1}")},
      {"rotary_yarn", attention_model("{score: {type: rotary, base: 20, factor: 4, scaling: yarn, "
                                      "trained_length: 300}, heads: 2}")},
      {"relative", attention_model("{score: {type: relative, clip: 3}, heads: 2}")},
      {"relative_keys",
       attention_model("{score: {type: relative, clip: 2}, read: weighted_sum, heads: 3}")},
      {"relative_values",
       attention_model("{score: scaled_dot, read: {type: relative, clip: 2}, heads: 3}")},
      {"relative_clips",
       attention_model("{score: {type: relative, clip: 3, width: 12}, read: {type: relative, clip: "
                       "1}, heads: 4, key_value_heads: 2}")},
      {"alibi", attention_model("{score: scaled_dot, terms: [alibi], heads: 2}",
                                "{score: scaled_dot, terms: [alibi], heads: 6}")},
      {"bucket_bias",
       attention_model("{score: scaled_dot, terms: [{type: bucket_bias, buckets: 8, max_distance: "
                       "7}], heads: 3}",
                       "{score: scaled_dot, terms: [{type: bucket_bias, buckets: 5, max_distance: "
                       "6}], heads: 2}")},
      {"causal", attention_model("{score: scaled_dot, terms: [causal], heads: 2}", kHeads)},
      {"causal_alibi",
       attention_model("{score: relative, terms: [causal, alibi, {type: bucket_bias, buckets: 4, "
                       "max_distance: 5}], heads: 2}",
                       kHeads)},
      {"wait_k", attention_model("{score: scaled_dot, terms: [causal], heads: 2}", kHeads,
                                 "{score: scaled_dot, terms: [{type: wait_k, k: 2}], heads: 2}")},
      {"wait_k_catch_up",
       attention_model("{score: scaled_dot, terms: [causal], heads: 2}", kHeads,
                       "{score: scaled_dot, terms: [{type: wait_k, k: 1, catch_up: 0.4}], heads: "
                       "4, key_value_heads: 2}",
                       ", alignment: {heads: [3]}")},
      {"disagreement", attention_model("{score: scaled_dot, heads: 2, disagreement: output}")},
      {"all_positions",
       attention_model(
           "{score: rotary, read: {type: relative, clip: 2}, terms: [alibi, {type: "
           "bucket_bias, buckets: 4, max_distance: 5}], heads: 6, key_value_heads: 2}")},
  };
  return list;
}

const std::string& text_of_variant(std::string_view name) {
  return std::ranges::find(variants(), name, &Variant::name)->text;
}

class EachVariant : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(TransformerEngine, EachVariant, testing::ValuesIn(variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text);
}

TEST_P(EachVariant, InFewerBitsIsNearTheModel) { expect_fewer_bits_are_near(GetParam().text); }

TEST(TransformerEngine, SearchFindsWhatItFindsWithTheModel) {
  holds({"--precision"});
  for (const char* name : {"pre", "ssru", "average_above_heads", "grouped", "relative", "wait_k"}) {
    SCOPED_TRACE(name);
    expect_search_finds_the_same(text_of_variant(name));
  }
}

TEST(TransformerEngine, ForcedTokensHaveTheirProbability) {
  const ModelConfig config = config_from(text_of_variant("pre"));
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto examples = examples_of({{5, 6}, {7}});
  const auto engine = engine_of(*model, config);
  const auto free = engine->start(pointers_to(examples), false),
             limited = engine->start(pointers_to(examples), false);
  free->step({kBegin, kBegin});
  limited->step({kBegin, kBegin});
  const auto expected = all_log_probs(*free);
  const TopK best = limited->best(3, {.banned = {{1, 9}, {0, 12}}, .forced = {{0, 12}}});
  EXPECT_EQ(best.id[0], 12);
  EXPECT_NEAR(best.log_probability[0], expected[12], 1e-6);
  EXPECT_EQ(best.id[1], -1);
  EXPECT_THAT(std::vector(best.id.begin() + 3, best.id.end()), testing::Not(testing::Contains(9)));
}

// The targets are longer than the table of sinusoids, and use enough slots that unused ones are
// freed.
TEST(TransformerEngine, OfLongTargetsFindsWhatTheModelFinds) {
  const ModelConfig config = config_from(text_of_variant("pre"));
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto own = engine_of(*model, config);
  const ModelEngine expected({model}, {"source"});
  SearchConfig wanted;
  wanted.beam = 3;
  wanted.min_length = 520;
  wanted.max_length_extra = 530;
  std::vector<Example> examples = examples_of(random_sentences(9, 7, kPieces, 2));
  const auto requests = [&] {
    std::vector<Request> list = requests_of(examples, wanted);
    for (size_t i = 3; i < list.size(); ++i) {
      list[i].config.min_length = 40 * static_cast<int64_t>(i);
      list[i].config.max_length_extra = list[i].config.min_length + 5;
    }
    return list;
  };
  const auto found = search(*own, requests(), 5), alone = search(expected, requests(), 5);
  for (size_t i = 0; i < examples.size(); ++i) {
    EXPECT_EQ(found[i][0].ids, alone[i][0].ids) << i;
    EXPECT_NEAR(found[i][0].score, alone[i][0].score, 1e-2);
  }
}

// Source and target are longer than the tables of positions.
TEST(TransformerEngine, OfLongSentencesHasTheProbabilitiesOfTheModel) {
  for (const char* name : {"pre", "rotary", "alibi", "bucket_bias", "relative", "ssru"}) {
    SCOPED_TRACE(name);
    const ModelConfig config = config_from(text_of_variant(name));
    const auto model = random_model(config, kPieces, 8, torch::kFloat);
    vary_constants(*model);
    const ModelEngine expected({model}, {"source"});
    RandomStream random(4);
    const auto examples = examples_of({random_sentence(random, 530, kPieces)});
    const auto own = engine_of(*model, config)->start(pointers_to(examples), false),
               reference = expected.start(pointers_to(examples), false);
    for (int32_t t = 0; t < 520; ++t) {
      const std::vector<int32_t> token = {t == 0 ? kBegin : 4 + t * 7 % 60};
      if (t % 130 == 129) {
        expect_same_step(*own, *reference, token, 1e-3);
      } else {
        own->step(token);
        reference->step(token);
      }
    }
  }
}

TEST(TransformerEngine, RefusesParametersThatAreNoNumbers) {
  for (const auto& [name, variant] :
       {std::pair{"decoder.layer_1.feed_forward.inner.weight", "pre"},
        {"encoder_source.layer_0.feed_forward.inner.bias", "pre"},
        {"decoder.final_norm.weight", "pre"},
        {"output.weight", "untied"},
        {"target.embedding", "untied"},
        {"decoder.layer_0.self_attention.input.weight", "ssru"},
        {"decoder.layer_1.self_attention.gates.bias", "average"},
        {"encoder_source.layer_0.self_residual.omega", "admin"},
        {"decoder.layer_0.self_attention.read.table", "relative"},
        {"encoder_source.layer_1.self_attention.term_0.bias", "bucket_bias"}}) {
    expect_refuses_no_number(text_of_variant(variant), name);
  }
}

TEST_P(EachVariant, HasTheParametersOfTheModel) { expect_parameters_of_the_model(GetParam().text); }

// Other attention mechanisms are not supported.
TEST(TransformerShape, IsThatOfNoOtherMechanism) {
  int64_t others = 0;
  for (const auto& [name, attention] : attention_variants()) {
    for (const std::string where : {"self", "decoder_self", "source"}) {
      const std::string heads = "{score: scaled_dot, heads: 2}";
      const auto at = [&, &mechanism = attention](const char* here) {
        return where == here ? mechanism : heads;
      };
      const std::string stack =
          "{type: transformer, layers: 1, width: 8, feed_forward: 12, self_attention: ";
      const std::string text = fmt::format(
          "{{embedding: {{width: 8}}, encoder: {0}{1}}}, decoder: {0}{2}, attention: {3}}}}}",
          stack, at("self"), at("decoder_self"), at("source"));
      ModelConfig config;
      if (!find_problems(text, name, config).empty()) continue;
      if (!engine_shape(saved(config))) {
        ++others;
        continue;
      }
      const auto model = random_model(config, kPieces, 3, torch::kFloat);
      const auto own = engine_of(*model, config);
      SCOPED_TRACE(name + " " + where);
      expect_same_decoding(*own, ModelEngine({model}, {"source"}), 2e-4);
    }
  }
  EXPECT_GT(others, 50);
}

TEST(TransformerShape, IsThatOfNoOtherModel) {
  EXPECT_TRUE(engine_shape(saved(config_from(text_of_variant("pre")))));
  for (const std::string& text :
       {model_of("width: 12", "", "embedding: {width: 12}, output: {type: copynet}"),
        model_of("width: 12", ", attention: {score: scaled_dot, heads: 2, terms: [gaussian]}"),
        model_of("width: 12", ", attention: {score: {type: scaled_dot, project: false}, heads: 2}"),
        model_of("width: 12, self_attention_by_layer: {2: {score: additive, heads: 1}}"),
        model_of("width: 12",
                 ", attention: {score: scaled_dot, heads: 2}, attention_by_layer: {1: "
                 "{score: scaled_dot, normalizer: sparsemax, heads: 2}}"),
        model_of("width: 12", "", "embedding: {width: 12}, output: entmax"),
        model_of("width: 12", ", attention: none")}) {
    EXPECT_FALSE(engine_shape(saved(config_from(text)))) << text;
  }
}

}  // namespace
}  // namespace heed
