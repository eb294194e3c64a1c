// Training that is interrupted, and beam search, work with every attention mechanism.
#include <gtest/gtest.h>

#include "attention_variants.h"
#include "holds.h"
#include "kinds_of.h"
#include "network/model_engine.h"
#include "network/scoring.h"
#include "search/search.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

struct VariantCase {
  std::string name;
  ModelConfig model;
};

// Uses each attention over the source in a recurrent decoder, and as self-attention in a
// Transformer, in encoder and decoder if both accept it.
std::vector<VariantCase> variant_cases() {
  std::vector<VariantCase> cases;
  for (const AttentionVariant& variant : attention_variants()) {
    const auto attention = attention_of(variant.attention);
    if (attention->reads_several()) {
      ModelConfig model = with_attention(tiny_rnn(0.2), attention);
      model.encoders = {{"first", model.encoder}, {"second", model.encoder}};
      cases.push_back({variant.name + "_rnn", model});
      continue;
    }
    if (variant.name.starts_with("term_chunks")) {
      ModelConfig model = with_attention(tiny_rnn(0.2), attention);
      read_config_text(
          "{encoder: {type: hierarchical, states: words, pool: {type: attention, hidden: 4}, "
          "word_encoder: {type: rnn, "
          "width: 8}, "
          "sentence_encoder: {type: rnn, width: 8}}}",
          variant.name, model);
      cases.push_back({variant.name + "_rnn", model});
      continue;
    }
    if (variant.name.starts_with("term_wait_k")) {
      ModelConfig model = with_attention(tiny_rnn(0.2), attention);
      dynamic_cast<RnnEncoderConfig&>(*model.encoder).bidirectional = false;
      dynamic_cast<RnnDecoderConfig&>(*model.decoder).bridge = RnnDecoderConfig::Bridge::kNone;
      cases.push_back({variant.name + "_rnn", model});
      continue;
    }
    constexpr int64_t kWidth = 8;  // of the tiny models
    AttentionDims dims{
        .place = Place::kCross, .query = kWidth, .source = {.key = kWidth, .value = kWidth}};
    if (refusals_of(*attention, dims).empty())
      cases.push_back({variant.name + "_rnn", with_attention(tiny_rnn(0.2), attention)});
    ModelConfig model = tiny_transformer(0.2);
    dims.block = kWidth;
    dims.place = Place::kEncoderSelf;
    const bool encoder = refusals_of(*attention, dims).empty();
    dims.place = Place::kDecoderSelf;
    const bool decoder = refusals_of(*attention, dims).empty();
    if (encoder) dynamic_cast<TransformerEncoderConfig&>(*model.encoder).self_attention = attention;
    if (decoder) dynamic_cast<TransformerDecoderConfig&>(*model.decoder).self_attention = attention;
    if (encoder || decoder) cases.push_back({variant.name + "_transformer", model});
  }
  const auto add = [&cases](const std::string& name, const std::string& text) {
    ModelConfig model = tiny_rnn(0.2);
    read_config_text(text, name, model);
    cases.push_back({name, model});
  };
  const std::string convolution = "{type: convolution, width: 8}",
                    general = "{type: rnn, width: 8, attention: {score: general}}",
                    transformer =
                        "{type: transformer, layers: 1, width: 8, feed_forward: 8, "
                        "self_attention: {score: scaled_dot, heads: 2}";
  const auto pair_of = [](const std::string& encoder, const std::string& decoder) {
    return fmt::format("{{encoder: {}, decoder: {}}}", encoder, decoder);
  };
  for (const char* cell : {"rnn", "lstm", "gru"}) {
    const std::string both = fmt::format("{{type: rnn, cell: {}, width: 8}}", cell);
    add(fmt::format("network_{}", cell), pair_of(both, both));
  }
  for (const char* attend : {"before", "after"})
    add(fmt::format("network_attend_{}", attend),
        fmt::format("{{decoder: {{type: rnn, width: 8, attend: {}}}}}", attend));
  add("network_see",
      "{decoder: {type: rnn, width: 8, attend: after, context_feeding: true, read_state: "
      "hidden_and_cell, bridge: relu, output_activation: none}}");
  add("network_no_attention", "{decoder: {type: rnn, width: 8, attention: none}}");
  add("network_convolution_rnn", pair_of(convolution, general));
  add("network_convolution", pair_of(convolution, convolution));
  add("network_rnn_convolution",
      pair_of("{type: rnn, width: 8}", "{type: convolution, width: 8, attention: {score: dot}}"));
  add("network_transformer_rnn", pair_of(transformer + "}", general));
  add("network_rnn_transformer",
      pair_of("{type: rnn, width: 8}",
              transformer + ", attention: {score: scaled_dot, heads: 2}}"));
  add("network_transformer",
      pair_of(transformer + "}", transformer + ", attention: {score: scaled_dot, heads: 2}}"));
  for (const char* fusion : {"gate", "projected", "normalized"})
    add(fmt::format("disan_{}", fusion),
        fmt::format("{{encoder: {{type: disan, width: 8, fusion: {}}}}}", fusion));
  for (const char* join : {"co_attention", "alternating_co_attention", "parallel_co_attention"})
    add(fmt::format("sources_{}", join),
        fmt::format("{{encoders: {{a: {{type: rnn, width: 8}}, b: {{type: rnn, width: 8}}}}, join: "
                    "{{type: {}, hidden: 4}}, decoder: {{type: rnn, width: 8, attention: "
                    "multi_source}}}}",
                    join));
  for (const char* join : {"attentive_pooling", "attention_flow"})
    add(fmt::format("sources_{}", join),
        fmt::format("{{encoders: {{a: {{type: rnn, width: 8}}, b: {{type: rnn, width: 8}}}}, join: "
                    "{}, decoder: {{type: rnn, width: 8, attention: multi_source}}}}",
                    join));
  add("disan_without_directions", "{encoder: {type: disan, width: 8, directions: none}}");
  add("graph", "{encoder: {type: graph, width: 8}}");
  add("embeddings_intra_attention", "{encoder: {type: embeddings, intra_attention: {hidden: 8}}}");
  add("hierarchical",
      "{encoder: {type: hierarchical, pool: {type: attention, hidden: 4}, word_encoder: {type: "
      "rnn, width: 8}, "
      "sentence_encoder: {type: rnn, width: 8}}, decoder: {type: rnn, width: 8}}");
  for (const auto& [name, more] :
       {std::pair{"mean", "pool: mean, last: {type: attention, hidden: 4}"},
        {"position", "pool: position"}})
    add(fmt::format("hierarchical_{}", name),
        fmt::format(
            "{{encoder: {{type: hierarchical, {}, word_encoder: {{type: rnn, width: 8}}, "
            "sentence_encoder: {{type: rnn, width: 8}}}}, decoder: {{type: rnn, width: 8}}}}",
            more));
  add("label",
      "{encoder: {type: hierarchical, last: {type: attention, hidden: 4}, word_encoder: {type: "
      "rnn, "
      "width: 8}, sentence_encoder: {type: rnn, width: 8}}, decoder: none, output: label}");
  for (const auto& [name, keys] : {std::pair{"any", "order: 0, monotonic: false"},
                                   {"monotonic", "order: 0"},
                                   {"jumps", "order: 1, window: 2"}})
    add(fmt::format("hard_{}", name),
        fmt::format("{{decoder: {{type: rnn, width: 8, attention: none}}, output: {{type: "
                    "hard_monotonic, {}}}}}",
                    keys));
  add("embeddings",
      "{encoder: {type: embeddings, positions: none}, decoder: {type: rnn, width: 8}}");
  for (const char* join : {"basic", "child_sum"})
    add(fmt::format("sources_{}", join),
        fmt::format("{{encoders: {{a: {{type: rnn, width: 8}}, b: {{type: shared, with: a}}, c: "
                    "{{type: rnn, width: 8}}}}, join: {}, decoder: {{type: rnn, width: 8, "
                    "attention: multi_source}}}}",
                    join));
  for (const char* parts : {"whole", "key_value", "key_value_predict"}) {
    const std::string past = fmt::format("{{type: rnn, width: 12, past: {{parts: {}}}", parts);
    add(fmt::format("past_{}", parts), fmt::format("{{decoder: {}}}}}", past));
    add(fmt::format("past_alone_{}", parts),
        fmt::format("{{encoder: none, decoder: {}, attention: none}}}}", past));
  }
  for (const auto& [name, more] :
       {std::pair{"adaptive", "adaptive: {most: 3, epsilon: 0.3}"},
        {"intra_attention",
         "intra_attention: {attention: {score: {type: additive, hidden: 4}}}"}}) {
    const std::string both = fmt::format("{{type: rnn, width: 8, {}}}", more);
    add(name, pair_of(both, both));
    add(fmt::format("{}_alone", name),
        pair_of("none", fmt::format("{{type: rnn, width: 8, attention: none, {}}}", more)));
  }
  add("deep_fusion", pair_of("{type: rnn, width: 8, memory_tape: true}",
                             "{type: rnn, width: 8, attend: deep_fusion, intra_attention: {}}"));
  add("alone_transformer",
      fmt::format("{{encoder: none, decoder: {}, attention: none}}}}", transformer));
  add("tags_both_sides",
      fmt::format("{{encoder: {}, self_attention: {{type: task_specific, attention: {{score: "
                  "scaled_dot, heads: 2}}}}}}, decoder: {{type: rnn, width: 8, attention: "
                  "task_specific}}}}",
                  "{type: transformer, layers: 1, width: 8, feed_forward: 8"));
  for (const char* pool : {"rows", "source2token", "max"})
    add(fmt::format("pool_{}", pool),
        fmt::format("{{join: {{type: self_attentive, pool: {}}}}}", pool));
  return cases;
}
std::ostream& operator<<(std::ostream& out, const VariantCase& c) { return out << c.name; }

class SlowMechanisms : public testing::TestWithParam<VariantCase> {
 protected:
  TrainJob job(const std::string& name) const {
    TrainJob tiny = tiny_job(folder / name, GetParam().model);
    tiny.train.max_updates = 8;
    tiny.train.workers = 2;
    tiny.folder.open(RunMode::kOverwrite);
    return tiny;
  }
  TemporaryFolder folder;
};

TEST_P(SlowMechanisms, ResumedEqualsUninterrupted) {
  holds("resume", kinds_of(GetParam().model));
  expect_resumed_equals_uninterrupted([this](const char* name) { return job(name); }, 5);
}

// Log-probabilities of the search, computed step by step, equal those of one pass over all tokens.
TEST_P(SlowMechanisms, PassesThroughBeamSearch) {
  holds("beam", kinds_of(GetParam().model));
  const std::vector<std::string> sources = GetParam().model.sources();
  const auto network = std::make_shared<Seq2Seq>(
      GetParam().model, tiny_sizes(sources, needs_of(GetParam().model).tag), 1);
  {
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : network->parameters()) parameter.mul_(2.5);  // clear peaks
  }
  network->to(torch::kDouble);
  const TinyWants wants = wants_of(GetParam().model);
  const std::vector<Example> examples = examples_of(TinyStream(wants).next());
  SearchConfig config;
  config.beam = config.nbest = 4;
  config.min_length = wants.one_word ? 0 : 3;
  const auto found = search(ModelEngine({network}, sources), requests_of(examples, config));
  for (size_t i = 0; i < examples.size(); ++i) {
    const std::vector<Example> copies(found[i].size(), examples[i]);
    std::vector<Ids> targets;
    for (const Hypothesis& hypothesis : found[i]) targets.push_back(hypothesis.ids);
    const auto scores = score({network}, source_batches(copies, sources, torch::kCPU), targets);
    for (size_t k = 0; k < targets.size(); ++k)
      EXPECT_NEAR(found[i][k].log_probability, scores[k].log_probability, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SlowMechanisms, testing::ValuesIn(variant_cases()),
                         [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace heed
