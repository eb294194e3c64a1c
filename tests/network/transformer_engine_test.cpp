// TransformerEngine beside ModelEngine, of the same models.
#include "inference/transformer_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <cmath>

#include "attention_variants.h"
#include "base/temporary_folder.h"
#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"
#include "kernels/kernels.h"
#include "model/saved_model.h"
#include "network/random_models.h"
#include "nn/numbers.h"
#include "text/words.h"

namespace heed {
namespace {

constexpr int64_t kPieces = 70;  // more than a block of the output, and no multiple of a panel

std::string model_of(const std::string& common, const std::string& decoder = "",
                     const std::string& rest = "embedding: {width: 12}") {
  const std::string stack = "{type: transformer, layers: 2, feed_forward: 20, " + common;
  const std::string heads = "{score: scaled_dot, heads: 2}";
  return fmt::format(
      "{{encoder: {0}, self_attention: {1}}}, decoder: {0}, self_attention: {1}{2}}}, {3}}}", stack,
      heads, decoder.empty() ? ", attention: " + heads : decoder, rest);
}

ModelConfig config_from(const std::string& text) {
  ModelConfig config;
  read_config_text(text, "model", config);
  return config;
}

std::string saved(const ModelConfig& model) {
  SavedModelConfig config;
  config.model = model;
  config.text = {{"source", {}}, {"target", {}}};
  return write_config(config);
}

Weights weights_of(const Seq2Seq& model) {
  return [parameters = model.named_parameters()](const std::string& name) -> Array {
    const Tensor* found = parameters.find(name);
    if (found == nullptr) return {};
    return {found->sizes().vec(), numbers_of<float>(*found)};
  };
}

std::unique_ptr<TransformerEngine> engine_of(const Seq2Seq& model, const ModelConfig& config,
                                             Precision precision = Precision::kFloat,
                                             const Kernels& set = kernels()) {
  const auto read = read_transformer_config(saved(config));
  if (!read) return nullptr;
  return std::make_unique<TransformerEngine>(read->shape, weights_of(model), precision, set);
}

std::vector<Example> examples_of(const std::vector<Ids>& sentences) {
  std::vector<Example> examples;
  for (const Ids& ids : sentences) examples.push_back({.sources = {ids}, .target = {}});
  return examples;
}
std::vector<const Example*> pointers_to(const std::vector<Example>& examples) {
  std::vector<const Example*> pointers;
  for (const Example& example : examples) pointers.push_back(&example);
  return pointers;
}

// Log-probabilities of all tokens, by id.  [R·V]
std::vector<double> all_log_probs(Decoding& decoding) {
  const TopK best = decoding.best(kPieces, {});
  std::vector<double> by_id(best.id.size());
  for (size_t i = 0; i < best.id.size(); ++i)
    by_id[i / kPieces * kPieces + best.id[i]] = best.log_probability[i];
  return by_id;
}

void expect_same_step(Decoding& own, Decoding& expected, const std::vector<int32_t>& tokens,
                      double tolerance) {
  own.step(tokens);
  expected.step(tokens);
  EXPECT_THAT(all_log_probs(own),
              testing::Pointwise(testing::DoubleNear(tolerance), all_log_probs(expected)));
  for (size_t row = 0; row < tokens.size(); ++row) {
    const auto weights = expected.attention(row), found = own.attention(row);
    ASSERT_EQ(found.has_value(), weights.has_value());
    if (!weights) continue;
    const std::vector<double> wanted(weights->begin(), weights->end());
    EXPECT_THAT(std::vector<double>(found->begin(), found->end()),
                testing::Pointwise(testing::DoubleNear(1e-5), wanted));
  }
}

// All that search does with sentences that are decoded: they step, are spread to hypotheses, change
// places, leave, and others come.
void expect_same_decoding(const Engine& own, const Engine& expected, double tolerance) {
  const auto first = examples_of(random_sentences(3, 9, kPieces, 5)),
             later = examples_of(random_sentences(2, 20, kPieces, 6));
  auto decoding = own.start(pointers_to(first), true);
  auto reference = expected.start(pointers_to(first), true);
  const auto gather = [&](const std::vector<int64_t>& rows, int64_t hypotheses) {
    decoding->gather(rows, hypotheses);
    reference->gather(rows, hypotheses);
  };
  const auto step = [&](const std::vector<int32_t>& tokens) {
    expect_same_step(*decoding, *reference, tokens, tolerance);
  };
  step({kBegin, kBegin, kBegin});
  gather({0, 0, 1, 1, 2, 2}, 2);
  step({4, 5, 6, 7, 8, 9});
  gather({1, 0, 3, 3, 4, 5}, 2);
  step({10, 11, 12, 13, 14, 15});
  gather({0, 1, 5, 4}, 2);
  auto more = own.start(pointers_to(later), true);
  auto more_reference = expected.start(pointers_to(later), true);
  more->gather({0, 0, 1, 1}, 2);
  more_reference->gather({0, 0, 1, 1}, 2);
  decoding->join(std::move(more));
  reference->join(std::move(more_reference));
  step({16, 17, 18, 19, kBegin, kBegin, kBegin, kBegin});
  gather({1, 0, 2, 3, 5, 4, 6, 7}, 2);
  step({20, 21, 22, 23, 24, 25, 26, 27});
}

struct Variant {
  const char* name;
  std::string text;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> list = {
      {"pre", model_of("width: 12")},
      {"post", model_of("width: 12, norm: post")},
      {"gelu", model_of("width: 12, activation: gelu")},
      {"gated", model_of("width: 12, activation: gated")},
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
      {"wide", model_of("width: 64", "", "embedding: {width: 64, tie: all}")},
  };
  return list;
}

class EachVariant : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(TransformerEngine, EachVariant, testing::ValuesIn(variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachVariant, EqualsTheModelInEachSetOfKernels) {
  const ModelConfig config = config_from(GetParam().text);
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  const ModelEngine expected({model}, {"source"});
  for (const Kernels* set : all_kernels()) {
    SCOPED_TRACE(set->name);
    const auto own = engine_of(*model, config, Precision::kFloat, *set);
    ASSERT_NE(own, nullptr);
    expect_same_decoding(*own, expected, 2e-4);
  }
}

// In a model whose weights are drawn as for training, so that its scores are as small.
TEST_P(EachVariant, InFewerBitsIsNearTheModel) {
  for (const auto& [precision, most] :
       {std::pair{Precision::kBFloat16, 0.02}, {Precision::kInt8, 0.05}}) {
    const ModelConfig config = config_from(GetParam().text);
    const auto model = std::make_shared<Seq2Seq>(
        config, VocabularySizes{.sources = {{"source", kPieces}}, .target = kPieces}, 3);
    const auto own = engine_of(*model, config, precision),
               exact = engine_of(*model, config, Precision::kFloat);
    const auto examples = examples_of(random_sentences(4, 9, kPieces, 5));
    const auto decoding = own->start(pointers_to(examples), false),
               reference = exact->start(pointers_to(examples), false);
    double error = 0, spread = 0;
    for (const int32_t token : {1, 5, 30}) {
      decoding->step(std::vector<int32_t>(4, token));
      reference->step(std::vector<int32_t>(4, token));
      const auto found = all_log_probs(*decoding), wanted = all_log_probs(*reference);
      const double mean = std::log(1.0 / kPieces);
      for (size_t i = 0; i < wanted.size(); ++i) {
        error += std::pow(found[i] - wanted[i], 2);
        spread += std::pow(wanted[i] - mean, 2);
      }
    }
    EXPECT_GT(error, 0);  // it computes with other numbers
    EXPECT_LT(std::sqrt(error / spread), most);
  }
}

TEST(TransformerEngine, SearchFindsWhatItFindsWithTheModel) {
  holds({"--precision"});
  const ModelConfig config = config_from(variants()[0].text);
  const auto model = random_model(config, kPieces, 8, torch::kFloat);
  const auto own = engine_of(*model, config);
  const ModelEngine expected({model}, {"source"});
  const auto examples = examples_of(random_sentences(40, 12, kPieces, 9));
  for (const int64_t beam : {1, 4}) {
    SearchConfig wanted;
    wanted.beam = beam;
    wanted.nbest = beam;
    wanted.no_repeat_ngram = 3;
    wanted.allow_unknown = false;
    wanted.min_length = 3;
    // Fewer places than sentences, so that they enter and leave.
    const auto found = search(*own, requests_of(examples, wanted, true), 9),
               alone = search(expected, requests_of(examples, wanted, true), 9);
    for (size_t i = 0; i < examples.size(); ++i) {
      ASSERT_EQ(found[i].size(), alone[i].size());
      for (size_t k = 0; k < found[i].size(); ++k) {
        EXPECT_NEAR(found[i][k].score, alone[i][k].score, 1e-4);
        EXPECT_EQ(found[i][k].ids, alone[i][k].ids) << i << " " << k;
        EXPECT_EQ(found[i][k].attention.size(), alone[i][k].attention.size());
      }
    }
  }
}

TEST(TransformerEngine, ForcedTokensHaveTheirProbability) {
  const ModelConfig config = config_from(variants()[0].text);
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

// Beyond the table of sinusoids, and with so many slots that unused ones are freed.
TEST(TransformerEngine, OfLongTargetsFindsWhatTheModelFinds) {
  const ModelConfig config = config_from(variants()[0].text);
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

TEST(TransformerEngine, RefusesParametersThatAreNoNumbers) {
  for (const auto& [name, variant] : {std::pair{"decoder.layer_1.feed_forward.inner.weight", 0},
                                      {"encoder_source.layer_0.feed_forward.inner.bias", 0},
                                      {"decoder.final_norm.weight", 0},
                                      {"output.weight", 7},
                                      {"target.embedding", 7}}) {
    const ModelConfig config = config_from(variants()[variant].text);
    const auto model = random_model(config, kPieces, 8, torch::kFloat);
    {
      const torch::NoGradGuard no_grad;
      model->named_parameters()[name].view(-1)[3] = NAN;
    }
    EXPECT_ERROR(engine_of(*model, config), ErrorKind::kModel, "not finite");
  }
}

TEST_P(EachVariant, HasTheParametersOfTheModel) {
  const ModelConfig config = config_from(GetParam().text);
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const auto& [name, tensor] : tensors_of(*model)) shapes[name] = tensor.sizes().vec();
  EXPECT_EQ(parameter_shapes(read_transformer_config(saved(config))->shape, kPieces, kPieces),
            shapes);
}

// Other attention mechanisms are not supported.
TEST(TransformerShape, IsThatOfNoOtherMechanism) {
  int64_t others = 0;
  for (const auto& [name, attention] : attention_variants()) {
    for (const std::string where : {"self", "decoder_self", "source"}) {
      const std::string heads = "{score: scaled_dot, heads: 2}";
      const auto at = [&](const char* here) { return where == here ? attention : heads; };
      const std::string stack =
          "{type: transformer, layers: 1, width: 8, feed_forward: 12, self_attention: ";
      const std::string text = fmt::format(
          "{{embedding: {{width: 8}}, encoder: {0}{1}}}, decoder: {0}{2}, attention: {3}}}}}",
          stack, at("self"), at("decoder_self"), at("source"));
      ModelConfig config;
      if (!find_problems(text, name, config).empty()) continue;
      if (!read_transformer_config(saved(config))) {
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
  EXPECT_TRUE(read_transformer_config(saved(config_from(variants()[0].text))));
  for (const std::string& text :
       {std::string("{}"),
        model_of("width: 12", "", "embedding: {width: 12}, output: {type: pointer_generator}"),
        model_of("width: 12", ", attention: {score: scaled_dot, heads: 2, terms: [gaussian]}"),
        model_of("width: 12", ", attention: {score: {type: scaled_dot, width: 8}, heads: 2}"),
        model_of("width: 12", ", attention: {score: {type: scaled_dot, project: false}, heads: 2}"),
        model_of("width: 12", ", attention: none")}) {
    EXPECT_FALSE(read_transformer_config(saved(config_from(text)))) << text;
  }
  SavedModelConfig tagged;
  tagged.model = config_from(variants()[0].text);
  tagged.text = {{"source", {}}, {"target", {}}};
  EXPECT_TRUE(read_transformer_config(write_config(tagged)));
  tagged.tags = {"de", "fr"};
  EXPECT_FALSE(read_transformer_config(write_config(tagged)));
  EXPECT_FALSE(read_transformer_config("model: ["));
}

}  // namespace
}  // namespace heed
