// Transformers with `norm: deep` and `norm: admin` beside loops over doubles (reference/deep.h): the
// forward pass, the initial weights of DeepNorm, and the initialization of Admin.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "config/reader.h"
#include "holds.h"
#include "model/admin.h"
#include "model/seq2seq.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/deep.h"

namespace heed {
namespace {

using reference::DeepTransformer;
using reference::Sequence;
using reference::TokenIds;

constexpr int64_t kDeepVocabulary = 11, kDeepWidth = 6;
constexpr size_t kEncoderLayers = 3, kDecoderLayers = 2;

struct Kind {
  bool encoder, decoder;
  reference::Depth of_encoder, of_decoder;
};
Kind kind_of(const std::string& name) {
  if (name == "encoder") return {true, false, reference::of_encoder_alone(kEncoderLayers), {}};
  if (name == "decoder") return {false, true, {}, reference::of_decoder_alone(kDecoderLayers)};
  return {true, true, reference::of_encoder_of_pair(kEncoderLayers, kDecoderLayers),
          reference::of_decoder_of_pair(kDecoderLayers)};
}

// An encoder alone has a recurrent decoder.
ModelConfig deep_model(const std::string& kind, const std::string& norm) {
  const auto stack = [&norm](size_t layers) {
    return fmt::format(
        "{{type: transformer, layers: {}, width: {}, feed_forward: 9, dropout: 0, {}, "
        "self_attention: {{score: scaled_dot, heads: 2}}",
        layers, kDeepWidth, norm);
  };
  const std::string encoder = kind == "decoder" ? "{type: none" : stack(kEncoderLayers),
                    decoder = kind == "encoder"
                                  ? "{type: rnn, width: 6"
                                  : stack(kDecoderLayers) +
                                        (kind == "decoder"
                                             ? ", attention: none"
                                             : ", attention: {score: scaled_dot, heads: 2}");
  ModelConfig config;
  read_config_text(fmt::format("{{embedding: {{width: {}, dropout: 0, tie: {}}}, encoder: {}}}, "
                               "decoder: {}}}}}",
                               kDeepWidth, kind == "decoder" ? "target" : "all", encoder, decoder),
                   "test", config);
  return config;
}

std::unique_ptr<Seq2Seq> network_of(const std::string& kind, const std::string& norm) {
  VocabularySizes sizes{.sources = {}, .target = kDeepVocabulary};
  if (kind != "decoder")
    sizes.sources["source"] = kDeepVocabulary, sizes.owners["source"] = "target";
  return std::make_unique<Seq2Seq>(deep_model(kind, norm), sizes, 7);
}

reference::Weights weights_of(const Seq2Seq& network) {
  std::map<std::string, reference::Matrix> all;
  for (const auto& [name, value] : parameters_of(network)) all[name] = matrix_of(value);
  return reference::Weights(all);
}

const std::vector<Ids> kSources = {{5, 6, 7, 8, 9}, {10}, {4, 4, 6}},
                       kTargets = {{7, 4, 5, 9}, {6}, {8, 9}};

TokenIds with(const Ids& ids, int32_t first, int32_t last) {
  TokenIds all;
  if (first >= 0) all.push_back(static_cast<size_t>(first));
  for (const int32_t id : ids) all.push_back(static_cast<size_t>(id));
  if (last >= 0) all.push_back(static_cast<size_t>(last));
  return all;
}

struct DeepCase {
  std::string kind, norm;
  bool rms = false;
  std::string text() const {
    return fmt::format("norm: {}, norm_type: {}", norm, rms ? "rms" : "layer");
  }
};

class DeepTransformers : public testing::TestWithParam<DeepCase> {};
INSTANTIATE_TEST_SUITE_P(All, DeepTransformers,
                         testing::Values(DeepCase{"both", "deep"}, DeepCase{"both", "deep", true},
                                         DeepCase{"encoder", "deep"}, DeepCase{"decoder", "deep"},
                                         DeepCase{"both", "admin"}, DeepCase{"both", "admin", true},
                                         DeepCase{"decoder", "admin"}),
                         [](const auto& one) {
                           return one.param.kind + "_" + one.param.norm +
                                  (one.param.rms ? "_rms" : "");
                         });

TEST_P(DeepTransformers, EqualTheEquations) {
  holds("reference", {"encoder: transformer norm", "decoder: transformer norm"});
  const torch::NoGradGuard no_grad;
  const DeepCase& one = GetParam();
  const Kind kind = kind_of(one.kind);
  const auto network = network_of(one.kind, one.text());
  fill(*network);
  const reference::Weights weights = weights_of(*network);
  DeepTransformer expected(weights, 2, one.rms, [&](const std::string& connection) {
    if (one.norm == "admin") return weights.vector(connection + ".omega");
    const bool is_of_decoder = connection.starts_with("decoder");
    return reference::Vector(kDeepWidth, (is_of_decoder ? kind.of_decoder : kind.of_encoder).alpha);
  });
  SourceBatches sources(std::ssize(kTargets));
  if (kind.encoder) sources = SourceBatches({{"source", source_batch(kSources, torch::kCPU)}});
  EncoderOutput encoded;
  State state = network->start(sources, Pass(), encoded);
  const Tensor hidden =
      network->advance(target_batch(kTargets, torch::kCPU).inputs, state).hidden;  // [R,T,W]
  for (size_t r = 0; r < kTargets.size(); ++r) {
    const auto row = static_cast<int64_t>(r);
    Sequence read;
    if (kind.encoder) {
      read = expected.encode(with(kSources[r], -1, kEnd), kEncoderLayers);
      for (size_t s = 0; s < read.size(); ++s)
        expect_close(encoded.sources.at("source").source.keys[row][static_cast<int64_t>(s)],
                     tensor_of(read[s]), kExact, fmt::format("source {}, {}", r, s));
    }
    if (!kind.decoder) continue;
    const Sequence states = expected.decode(read, with(kTargets[r], kBegin, -1), kDecoderLayers);
    for (size_t t = 0; t < states.size(); ++t)
      expect_close(hidden[row][static_cast<int64_t>(t)], tensor_of(states[t]), kExact,
                   fmt::format("row {}, {}", r, t));
  }
}

// Figure 2: the gain of ffn, v_proj and out_proj is β, that of q_proj and k_proj 1.
TEST(DeepNorm, ScalesInitialWeights) {
  for (const std::string name : {"both", "encoder", "decoder"}) {
    const Kind kind = kind_of(name);
    const auto deep = network_of(name, "norm: deep"), post = network_of(name, "norm: post");
    const auto scaled = parameters_of(*deep), plain = parameters_of(*post);
    ASSERT_EQ(scaled.size(), plain.size());
    int64_t count = 0;
    for (const auto& [parameter, value] : scaled) {
      const bool of_decoder = parameter.starts_with("decoder.layer"),
                 of_encoder = parameter.starts_with("encoder_source.layer");
      double beta = 1;
      for (const char* part : {"feed_forward.inner.weight", "feed_forward.outer.weight",
                               "attention.read.value.weight", "attention.read.output.weight"}) {
        if (!parameter.ends_with(part)) continue;
        if (of_encoder && kind.encoder) beta = kind.of_encoder.beta;
        if (of_decoder && kind.decoder) beta = kind.of_decoder.beta;
      }
      count += beta == 1 ? 0 : 1;
      expect_close(value, plain.at(parameter) * beta, 1e-6, parameter);
    }
    EXPECT_EQ(count, (kind.encoder ? 4 * kEncoderLayers : 0) +
                         (kind.decoder ? (kind.encoder ? 6 : 4) * kDecoderLayers : 0))
        << name;
  }
}

// A gated layer has the weights of the authors' code: its gate is not scaled.
TEST(DeepNorm, LeavesGatesAndScoresAsTheyAre) {
  const auto deep = network_of("both", "norm: deep, activation: gated"),
             post = network_of("both", "norm: post, activation: gated");
  const std::string layer = "encoder_source.layer_0.";
  const auto a = parameters_of(*deep), b = parameters_of(*post);
  for (const char* same : {"feed_forward.gate.weight", "self_attention.score.query.weight",
                           "self_attention.score.key.weight"})
    EXPECT_TRUE(a.at(layer + same).equal(b.at(layer + same))) << same;
  EXPECT_FALSE(
      a.at(layer + "feed_forward.inner.weight").equal(b.at(layer + "feed_forward.inner.weight")));
  const std::string score = "self_attention_by_layer: {1: {score: {type: multi_dim, form: full}}}";
  const auto with = network_of("both", "norm: deep, " + score),
             without = network_of("both", "norm: post, " + score);
  const std::string output = layer + "self_attention.score.output.weight";
  EXPECT_TRUE(parameters_of(*with).at(output).equal(parameters_of(*without).at(output)));
}

// A layer of a decoder without attention over the source has two residual connections, not three.
TEST(DeepNorm, CountsTheConnectionsOfADecoder) {
  const auto beta_with = [](const std::string& attention) {
    const auto weight_of = [&](const std::string& norm) {
      ModelConfig config;
      read_config_text(
          fmt::format("{{embedding: {{width: 6}}, encoder: rnn, decoder: {{type: transformer, "
                      "layers: 2, width: 6, feed_forward: 9, self_attention: {{score: scaled_dot, "
                      "heads: 2}}, norm: {}, {}}}}}",
                      norm, attention),
          "test", config);
      const Seq2Seq network(config, {.sources = {{"source", 11}}, .target = 11}, 7);
      return parameters_of(network)
          .at("decoder.layer_0.feed_forward.inner.weight")[0][0]
          .item<double>();
    };
    return weight_of("deep") / weight_of("post");
  };
  const std::string all = "attention: {score: scaled_dot, heads: 2}";
  EXPECT_NEAR(beta_with(all), reference::of_decoder_of_pair(2).beta, 1e-6);
  EXPECT_NEAR(beta_with(all + ", attention_by_layer: {1: none}"), std::pow(4 * 5, -0.25), 1e-6);
  EXPECT_NEAR(beta_with("attention: none"), reference::of_decoder_alone(2).beta, 1e-6);
}

std::vector<Example> sentences() {
  std::vector<Example> examples;
  for (size_t i = 0; i < kSources.size(); ++i)
    examples.push_back({.sources = {kSources[i]}, .target = kTargets[i]});
  return examples;
}

// ω_i² is the variance of the input of the stack and of the earlier branches, over all numbers of
// all sentences, in passes with ω = 1; the first ω is 1.
TEST(Admin, OmegaFollowsFromTheVariancesOfEarlierBranches) {
  for (const bool rms : {false, true}) {
    const auto network = network_of("both", DeepCase{"both", "admin", rms}.text());
    fill(*network);
    EXPECT_EQ(count_omegas(*network), 2 * kEncoderLayers + 3 * kDecoderLayers);
    initialize_omegas(*network, sentences(), {"source"});
    const reference::Weights weights = weights_of(*network);
    DeepTransformer profile(weights, 2, rms,
                            [](const std::string&) { return reference::Vector(kDeepWidth, 1.0); });
    for (size_t i = 0; i < kSources.size(); ++i)
      profile.decode(profile.encode(with(kSources[i], -1, kEnd), kEncoderLayers),
                     with(kTargets[i], kBegin, -1), kDecoderLayers);
    const auto expect_stack = [&](const std::string& stack, size_t layers,
                                  const std::vector<std::string>& connections) {
      double sum = 0;
      for (size_t l = 0; l < layers; ++l) {
        for (const std::string& connection : connections) {
          const std::string name = fmt::format("{}.layer_{}.{}", stack, l, connection);
          const auto& [x, f] = profile.seen.at(name);
          const bool is_first = sum == 0;
          if (is_first) sum = reference::variance(x);
          const double expected = is_first ? 1 : std::sqrt(sum);
          for (const double omega : weights.vector(name + ".omega"))
            EXPECT_NEAR(omega, expected, 1e-9) << name;
          sum += reference::variance(f);
        }
      }
    };
    expect_stack("encoder_source", kEncoderLayers, {"self_residual", "feed_forward_residual"});
    expect_stack("decoder", kDecoderLayers, {"self_residual", "residual", "feed_forward_residual"});
  }
}

// The order of the sentences, their padding and former values of ω do not matter.
TEST(Admin, OmegaIsTheSameForAnyOrder) {
  const auto one = network_of("both", "norm: admin"), other = network_of("both", "norm: admin");
  fill(*one);
  fill(*other);
  std::vector<Example> turned = sentences();
  std::ranges::reverse(turned);
  initialize_omegas(*one, sentences(), {"source"});
  initialize_omegas(*other, turned, {"source"});
  initialize_omegas(*other, turned, {"source"});
  const auto a = parameters_of(*one);
  for (const auto& [name, value] : parameters_of(*other))
    expect_close(value, a.at(name), 1e-12, name);
}

TEST(Admin, BeginsAsPostNorm) {
  const auto admin = network_of("both", "norm: admin"), post = network_of("both", "norm: post");
  const auto a = parameters_of(*admin), b = parameters_of(*post);
  EXPECT_EQ(a.size(), b.size() + 2 * kEncoderLayers + 3 * kDecoderLayers);
  for (const auto& [name, value] : a) {
    if (b.contains(name))
      EXPECT_TRUE(value.equal(b.at(name))) << name;
    else
      EXPECT_TRUE(value.equal(torch::ones({kDeepWidth}))) << name;
  }
  EXPECT_EQ(count_omegas(*post), 0);
}

}  // namespace
}  // namespace heed
