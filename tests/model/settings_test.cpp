// Every key of `model:` has an effect: with another value of that key alone, the same seed and the
// same batch, a training step has other gradients. The references and the laws check that the
// effect is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"
#include "model/seq2seq.h"
#include "nn/torch.h"

namespace heed {
namespace {

constexpr int64_t kTinyVocabulary = 13;

const std::string kRnn =
    "{embedding: {width: 6}, encoder: {type: rnn, width: 8, layers: 2}, "
    "decoder: {type: rnn, width: 8, layers: 2, attention: {score: {type: additive, hidden: 8}}}}";
const std::string kTransformer =
    "{embedding: {width: 6}, "
    "encoder: {type: transformer, layers: 2, width: 8, feed_forward: 12, dropout: 0, "
    "self_attention: {score: scaled_dot, heads: 2}}, "
    "decoder: {type: transformer, layers: 2, width: 8, feed_forward: 12, dropout: 0, "
    "self_attention: {score: scaled_dot, heads: 2}, attention: {score: scaled_dot, heads: 2}}}";

struct Change {
  std::string to;        // key=value
  std::string before{};  // setting that the key needs, in both models
  bool transformer = false;

  std::string key() const { return to.substr(0, to.find('=')); }
};
std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << (change.transformer ? "transformer, " : "rnn, ") << change.before
             << (change.before.empty() ? "" : ", ") << change.to;
}

ModelConfig config_of(bool transformer, const std::vector<std::string>& overrides) {
  ReadOptions options;
  for (const std::string& text : overrides) {
    if (!text.empty()) options.overrides.push_back(parse_override(text));
  }
  ModelConfig config;
  read_config_text(transformer ? kTransformer : kRnn, "test", config, options);
  return config;
}

std::map<std::string, Tensor> gradients_of(const ModelConfig& config) {
  torch::set_num_threads(1);
  VocabularySizes sizes{
      .sources = {{"source", kTinyVocabulary}}, .target = kTinyVocabulary, .tags = 2};
  for (const auto& [name, unused] : config.embedding.source_factors)
    sizes.factors[name] = kTinyVocabulary;
  Seq2Seq model(config, sizes, 7);
  const std::vector<Ids> sentences = {{4, 5, 6, 7, 8}, {9}, {12, 11, 10}};
  SourceBatch source = source_batch(sentences, torch::kCPU);
  std::vector<Copyable> copyable;
  for (const Ids& ids : sentences) copyable.push_back({.ids = ids, .behind = {}});
  put_copyable(source, copyable);
  put_tags(source, {1, 0, 1});
  const std::vector<Ids> labels = {{4, 4, 5, 5, 4}, {5}, {6, 4, 4}};
  put_factors(source, std::vector<std::vector<Ids>>(sizes.factors.size(), labels));
  const TargetBatch target = target_batch({{5, 4}, {9, 9, 9, 9}, {10}}, torch::kCPU);
  State state = model.start(SourceBatches({{"source", source}}), Pass::for_training(3, 5));
  model.loss(model.advance(target.inputs, state), target.outputs, 0, state).loss.backward();
  std::map<std::string, Tensor> gradients;
  for (const auto& item : model.named_parameters()) gradients[item.key()] = item.value().grad();
  return gradients;
}

bool are_equal(const std::map<std::string, Tensor>& a, const std::map<std::string, Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.defined() == y.second.defined() &&
           (!x.second.defined() || x.second.equal(y.second));
  });
}

std::vector<Change> rnn_changes() {
  std::vector<Change> changes;
  for (const char* to : {"embedding.width=4",
                         "embedding.dropout=0.5",
                         "embedding.source_word_dropout=0.5",
                         "embedding.target_word_dropout=0.5",
                         "embedding.tie=none",
                         "embedding.tie=inputs",
                         "embedding.tie=all",
                         "embedding.zero_begin=true",
                         "embedding.tag=none",
                         "embedding.tag=source",
                         "embedding.tag=target",
                         "embedding.source_factors={pos: {combine: sum}}",
                         "embedding.source_factors={pos: {width: 3}}",
                         "encoder={type: transformer, width: 8}",
                         "encoder.cell=rnn",
                         "decoder.past={parts: whole}",
                         "decoder.intra_attention={}",
                         "decoder.adaptive={}",
                         "encoder.cell=gru",
                         "encoder.layers=1",
                         "encoder.width=12",
                         "encoder.transition_depth=2",
                         "encoder.bidirectional=false",
                         "encoder.directions=sum",
                         "encoder.residual=true",
                         "encoder.layer_norm=true",
                         "encoder.stacks=separate",
                         "encoder.stacks=alternating",
                         "encoder.dropout=0.5",
                         "encoder.variational_dropout=0.5",
                         "encoder.reverse=true",
                         "encoder.intra_attention={}",
                         "encoder.adaptive={}",
                         "encoder.memory_tape=true",
                         "decoder.cell=rnn",
                         "decoder.cell=gru",
                         "decoder.layers=1",
                         "decoder.transition_depth=2",
                         "decoder.base_transition_depth=2",
                         "decoder.width=12",
                         "decoder.attend=after",
                         "decoder.attend=conditional",
                         "decoder.deep_context=true",
                         "decoder.input_feeding=true",
                         "decoder.context_feeding=true",
                         "decoder.read_state=hidden_and_cell",
                         "source_end=false",
                         "decoder.output_activation=tanh",
                         "decoder.output_activation=linear",
                         "decoder.output_activation=none",
                         "decoder.deep_output=false",
                         "decoder.output_state=previous",
                         "decoder.output_width=5",
                         "decoder.bridge=none",
                         "decoder.bridge=last",
                         "decoder.bridge=relu",
                         "decoder.bridge=shared",
                         "decoder.bridge=backward",
                         "decoder.bridge=mean",
                         "decoder.residual=true",
                         "decoder.layer_norm=true",
                         "decoder.dropout=0.5",
                         "decoder.variational_dropout=0.5",
                         "decoder.attention=none",
                         "decoder.attention=task_specific",
                         "decoder.attention.score=dot",
                         "decoder.attention.score=scaled_dot",
                         "decoder.attention.score=general",
                         "decoder.attention.score=concat",
                         "decoder.attention.score.hidden=6",
                         "decoder.attention.score.normalize=true",
                         "decoder.attention.score.layer_norm=true",
                         "decoder.attention.heads=2",
                         "decoder.attention.dropout=0.5",
                         "decoder.attention.read.project=true",
                         "decoder.attention.read=fusion_gate",
                         "decoder.attention.normalizer=sparsemax",
                         "decoder.attention.terms=[gaussian]",
                         "output.bias=false",
                         "initializer.method=xavier_uniform",
                         "initializer.method=xavier_normal",
                         "initializer.method=uniform",
                         "initializer.method=normal",
                         "initializer.method=orthogonal"}) {
    changes.push_back({.to = to});
  }
  for (const std::string side : {"encoder.", "decoder."}) {
    changes.push_back({.to = side + "dropout_mask=sequence", .before = side + "dropout=0.5"});
    changes.push_back({.to = side + "reset=before", .before = side + "cell=gru"});
    changes.push_back({.to = side + "layer_norm_form=marian", .before = side + "layer_norm=true"});
    for (const char* to : {"adaptive.most=1", "adaptive.epsilon=0.5"})
      changes.push_back({.to = side + to, .before = side + "adaptive={}"});
    changes.push_back({.to = side + "intra_attention.attention.score=general",
                       .before = side + "intra_attention={}"});
  }
  changes.push_back({.to = "decoder.attend=deep_fusion", .before = "encoder.memory_tape=true"});
  changes.push_back({.to = "initializer.scale=0.2", .before = "initializer.method=uniform"});
  changes.push_back({.to = "initializer.scale=0.2", .before = "initializer.method=normal"});
  changes.push_back(
      {.to = "decoder.attention.head_combination=routing", .before = "decoder.attention.heads=2"});
  changes.push_back({.to = "join=self_attentive"});
  for (const char* to : {"join.pool=source2token", "join.pool=max", "join.pool.rows=2",
                         "join.pool.hidden=6", "join.start=encoder"})
    changes.push_back({.to = to, .before = "join=self_attentive"});
  for (const char* to : {"join.pool.layer_norm=true", "join.pool.with_max=true"})
    changes.push_back({.to = to, .before = "join={type: self_attentive, pool: source2token}"});
  for (const char* to :
       {"encoder.layers=2", "encoder.width=12", "encoder.fusion=projected",
        "encoder.fusion=normalized", "encoder.directions=none", "encoder.feed_forward=6",
        "encoder.dropout=0.5", "encoder.self_attention.terms=[distance]",
        "encoder.self_attention.score=dot"})
    changes.push_back({.to = to, .before = "encoder={type: disan, width: 8}"});
  changes.push_back(
      {.to = "encoder.input_layer=false", .before = "encoder={type: disan, width: 12}"});
  for (const char* to :
       {"encoder.layers=1", "encoder.width=12", "encoder.average=true", "encoder.dropout=0.5",
        "encoder.self_attention.heads=1", "encoder.self_attention.score.project=true"})
    changes.push_back(
        {.to = to,
         .before = "encoder={type: graph, width: 8, self_attention: {heads: 2, terms: []}}"});
  for (const char* to : {"encoder.pool=mean", "encoder.pool=position", "encoder.pool.hidden=6",
                         "encoder.last=attention", "encoder.states=words",
                         "encoder.word_encoder.width=12", "encoder.sentence_encoder.width=12"})
    changes.push_back({.to = to,
                       .before =
                           "encoder={type: hierarchical, word_encoder: {type: rnn, width: 8}, "
                           "sentence_encoder: {type: rnn, width: 8}}"});
  for (const char* to :
       {"encoder.layers=2", "encoder.width=12", "encoder.kernel=5", "encoder.positions=none",
        "encoder.dropout=0.5", "encoder.weight_norm=false"})
    changes.push_back({.to = to, .before = "encoder={type: convolution, layers: 1, width: 8}"});
  for (const char* to :
       {"decoder.layers=2", "decoder.width=12", "decoder.kernel=2", "decoder.positions=none",
        "decoder.dropout=0.5", "decoder.weight_norm=false", "decoder.normed_output=false"})
    changes.push_back({.to = to,
                       .before = "decoder={type: convolution, layers: 1, width: 8, attention: "
                                 "{score: {type: additive, hidden: 8}}}"});
  for (const char* to :
       {"encoder.positions=learned", "encoder.dropout=0.5", "encoder.intra_attention={}"})
    changes.push_back({.to = to, .before = "encoder=embeddings"});
  changes.push_back(
      {.to = "encoder.from_end=true", .before = "encoder={type: embeddings, positions: learned}"});
  for (const char* to :
       {"encoder.intra_attention.hidden=6", "encoder.intra_attention.layers=1",
        "encoder.intra_attention.dropout=0.5", "encoder.intra_attention.attention.terms=[]"})
    changes.push_back(
        {.to = to, .before = "encoder={type: embeddings, intra_attention: {hidden: 8}}"});
  changes.push_back({.to = "output.bias=false", .before = "output=entmax"});
  changes.push_back({.to = "output.alpha=2", .before = "output=entmax"});
  for (const char* to : {"output=entmax", "output=pointer_generator", "output=copynet",
                         "output=pointer", "output=label"})
    changes.push_back({.to = to});
  for (const char* keys : {"", ", bias: false", ", monotonic: false", ", order: 0", ", window: 2"})
    changes.push_back({.to = fmt::format("output={{type: hard_monotonic{}}}", keys),
                       .before = "decoder={type: rnn, width: 8, attention: none}"});
  for (const char* output : {"output=pointer_generator", "output=copynet", "output=label"})
    changes.push_back({.to = "output.bias=false", .before = output});
  for (const char* output : {"output=pointer_generator", "output=copynet", "output=pointer"}) {
    changes.push_back({.to = "output.state=decoder", .before = output});
    changes.push_back({.to = "source_end=false", .before = output});
  }
  changes.push_back({.to = "output.copy_end=true", .before = "output=copynet"});
  changes.push_back({.to = "decoder=none", .before = "output=label"});
  changes.push_back({.to = "output.hidden=6", .before = "output=pointer"});
  changes.push_back({.to = "decoder.attention.score.hidden=6",
                     .before = "decoder.attention.score={type: concat, hidden: 8}"});
  for (const char* to :
       {"decoder.attention.heads=2", "decoder.attention.width=6", "decoder.attention.shift=2",
        "decoder.attention.write=false", "decoder.attention.order=write_first",
        "decoder.attention.initial=learned"})
    changes.push_back({.to = to, .before = "decoder.attention=memory"});
  changes.push_back(
      {.to = "decoder.attention.score=scaled_dot", .before = "decoder.attention.score=dot"});
  changes.push_back(
      {.to = "decoder.attention.score.project=true", .before = "decoder.attention.score=dot"});
  return changes;
}

std::vector<Change> transformer_changes() {
  std::vector<Change> changes;
  const auto add = [&changes](const std::string& to, const std::string& before = "") {
    changes.push_back({.to = to, .before = before, .transformer = true});
  };
  add("decoder={type: rnn, width: 8}");
  for (const std::string side : {"encoder.", "decoder."}) {
    for (const char* to : {"layers=1",
                           "width=12",
                           "feed_forward=10",
                           "activation=gelu",
                           "activation=silu",
                           "activation=gated",
                           "activation=gated_gelu",
                           "activation=gated_gelu_tanh",
                           "norm=post",
                           "norm_type=rms",
                           "final_norm=false",
                           "positions.layout=halves",
                           "positions.layout=fairseq",
                           "positions=learned",
                           "positions=none",
                           "scale_embedding=false",
                           "embedding_norm=true",
                           "dropout=0.5",
                           "activation_dropout=0.5",
                           "layer_dropout=0.9"}) {
      add(side + to);
    }
    add(side + "norm=deep", side + "norm=post");
    add(side + "norm=admin", side + "norm=post");
    add(side + "positions.max_positions=2", side + "positions=learned");
    add(side + "self_attention_by_layer={1: none}");
    add(side + "self_attention_by_layer={1: {heads: 1, score: scaled_dot}}");
  }
  add("decoder.attention_by_layer={1: none}");
  add("output.head=1", "output=pointer_generator");
  add("output.copy_end=true", "output=pointer_generator");
  add("decoder.alignment.layer=1", "output=pointer_generator");
  add("decoder.alignment.heads=[2]", "output=pointer_generator");
  for (const std::string place :
       {"encoder.self_attention", "decoder.self_attention", "decoder.attention"}) {
    for (const char* to : {"=none",
                           ".score=dot",
                           ".score.project=false",
                           ".score.width=4",
                           ".read.width=4",
                           ".heads=1",
                           ".dropout=0.5",
                           ".read.project=false",
                           ".read=fusion_gate",
                           ".normalizer=sparsemax",
                           ".terms=[gaussian]",
                           ".head_combination=routing",
                           ".key_value_heads=1",
                           ".score.query_key_norm=l2",
                           ".score.query_key_norm=rms",
                           ".read=gated",
                           ".read=differential",
                           ".read=talking_heads",
                           ".terms=[talking_heads]",
                           ".normalizer=off_by_one",
                           ".normalizer=sink"}) {
      add(place + to);
    }
    add(place + ".score.query_key_norm.gain=3", place + ".score.query_key_norm=l2");
    add(place + ".read.gate=head", place + ".read=gated");
    add(place + ".read.lambda_init=0.5", place + ".read=differential");
    add(place + ".read=weighted_sum", place + ".terms=[talking_heads]");
    if (place == "decoder.attention") continue;
    add(place + ".terms=[{type: bucket_bias, buckets: 8}]", place + ".terms=[bucket_bias]");
    // Sentences have five tokens at most.
    const std::string few =
        place + ".terms=[{type: bucket_bias, buckets: " + (place[0] == 'e' ? "8" : "4");
    add(few + ", max_distance: " + (place[0] == 'e' ? "5" : "3") + "}]", few + "}]");
    const std::string rotary = place + ".score={type: rotary";
    add(place + ".score.base=100", rotary + "}");
    add(place + ".score.factor=4", rotary + "}");
    add(place + ".score.scaling=yarn", rotary + ", factor: 4}");
    add(place + ".score.scaling=ntk", rotary + ", factor: 4}");
    add(place + ".score.trained_length=60000", rotary + ", factor: 4, scaling: yarn}");
  }
  return changes;
}

class ModelSettings : public testing::TestWithParam<Change> {};

// Keys of the model itself and of sections that every model has; keys of kinds and of maps are
// recorded by other tests.
bool stands_outside_kinds(const std::string& key) {
  if (key == "embedding.source_factors") return false;
  return key.find('.') == std::string::npos || key.starts_with("embedding.") ||
         key.starts_with("initializer.");
}

TEST_P(ModelSettings, ChangeTheModel) {
  const Change& change = GetParam();
  if (stands_outside_kinds(change.key())) holds({"model." + change.key()});
  const auto before = gradients_of(config_of(change.transformer, {change.before}));
  const auto after = gradients_of(config_of(change.transformer, {change.before, change.to}));
  EXPECT_TRUE(are_equal(before, gradients_of(config_of(change.transformer, {change.before}))));
  EXPECT_FALSE(are_equal(before, after));
}

// encoder.cell=gru -> encoder_cell_gru
std::string test_name(const testing::TestParamInfo<Change>& info) {
  std::string name =
      info.param.to + (info.param.before.empty() ? "" : "_with_") + info.param.before;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Rnn, ModelSettings, testing::ValuesIn(rnn_changes()), test_name);
INSTANTIATE_TEST_SUITE_P(Transformer, ModelSettings, testing::ValuesIn(transformer_changes()),
                         test_name);

bool is_tried(const std::string& key, const std::vector<Change>& changes) {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    return key == change.key() || key == change.key() + ".type";
  });
}

// Each key is changed in at least one of the two models.
TEST(ModelKeys, AreAllTried) {
  const std::vector<Change> rnn = rnn_changes(), transformer = transformer_changes();
  for (const bool is_transformer : {false, true}) {
    ModelConfig config = config_of(is_transformer, {});
    for (const auto& [key, value] : flatten_config(config)) {
      // A loss on heads changes no gradient of the tokens' loss; AttentionDefinitions tests it.
      // Keys of several sources are tested by the laws and by tests/cli/sources_test.cpp.
      const bool is_known = key == "output.type" || key.ends_with(".disagreement") ||
                            key == "encoders" || key == "decoder.bridge_from" ||
                            key == "embedding.share_sources";
      EXPECT_TRUE(is_known || is_tried(key, rnn) || is_tried(key, transformer)) << key;
    }
  }
}

// A key that has no effect because of another key is refused, except in saved models.
TEST(ModelKeys, WithoutEffectAreRefused) {
  const std::string linear = "{decoder: {attention: {type: linear, features: ",
                    score = "{decoder: {attention: {score: ";
  for (const std::string& text : std::vector<std::string>{
           linear + "{type: performer, draw: shared, redraw: 7}}}}",
           score + "{type: dot, project: false, width: 64}}}}",
           "{decoder: {output_activation: none, deep_output: false}}",
           "{encoder: {type: transformer, self_attention: {score: {type: rotary, scaling: ntk}}}}",
           "{encoder: {type: transformer, self_attention: {score: {type: rotary, factor: 2, "
           "trained_length: 64}}}}",
           "{encoder: {type: transformer, self_attention: {normalizer: {type: structured, kind: "
           "tree, scale: 3}}}}",
           "{decoder: {attention: none}, output: {type: hard_monotonic, order: 0, window: 3}}",
           "{encoder: {dropout_mask: sequence}}", "{decoder: {dropout_mask: sequence}}",
           "{decoder: {attention: {type: memory, rows: 5}}}",
           "{encoder: {type: embeddings, from_end: true}}",
           "{initializer: {method: orthogonal, scale: 0.3}}"}) {
    ModelConfig config, saved;
    const auto found = find_problems(text, "test", config);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_NE(found[0].text().find("has no effect "), std::string::npos) << found[0].text();
    EXPECT_TRUE(find_problems(text, "test", saved, {.overrides = {}, .saved = true}).empty());
  }
  ModelConfig never;
  const std::string fixed = linear + "{type: performer, draw: shared, redraw: 0}}}}";
  EXPECT_TRUE(find_problems(fixed, "test", never).empty());
}

// Ye et al. 2025: λ_init = 0.8 - 0.6 exp(-0.3 (l - 1)) in layer l, counted from 1.
TEST(DifferentialAttention, BeginsWithTheLambdaOfItsLayer) {
  for (const std::string place :
       {"encoder.self_attention", "decoder.self_attention", "decoder.attention"}) {
    const auto with = [](const std::string& more) {
      return "{score: scaled_dot, heads: 2, read: {type: differential" + more + "}}";
    };
    const std::string second = fmt::format(", lambda_init: {:.17g}", 0.8 - 0.6 * std::exp(-0.3));
    const auto by_default = gradients_of(config_of(true, {place + "=" + with("")}));
    const auto gradients_with = [&](const std::string& first) {
      return gradients_of(config_of(
          true, {place + "=" + with(first), place + "_by_layer={2: " + with(second) + "}"}));
    };
    EXPECT_TRUE(are_equal(by_default, gradients_with(", lambda_init: 0.2"))) << place;
    EXPECT_FALSE(are_equal(by_default, gradients_with(second))) << place;
  }
}

TEST(ModelKeys, ThatAreNotThereSayWhyAndWhatIs) {
  for (const auto& [attention, message] :
       {std::pair{"{score: multi_dim, heads: 2}",
                  ".heads: multi_dim has a head for each feature of the values: leave it out"},
        {"{score: multi_dim, key_value_heads: 1}",
         ".key_value_heads: multi_dim has a head for each feature of the values: leave it out"},
        {"{score: scaled_dot, heads: 4, key_value_heads: 3}",
         ".key_value_heads: 3 does not divide 4 heads"},
        {"{score: {type: additive, hidden: 8}, heads: 4, key_value_heads: 2}",
         ".key_value_heads: additive cannot share keys or values between heads: use a score of dot "
         "products and a weighted sum, both with project: true"},
        {"{score: scaled_dot, heads: 4, key_value_heads: 2, read: {type: weighted_sum, project: "
         "false}}",
         ".key_value_heads: weighted_sum cannot share keys or values between heads: use a score of "
         "dot products and a weighted sum, both with project: true"},
        {"{score: scaled_dot, heads: 4, key_value_heads: 2, read: differential}",
         ".key_value_heads: differential cannot share keys or values between heads: use a score of "
         "dot products and a weighted sum, both with project: true"},
        {"{score: scaled_dot, heads: 4, key_value_heads: 1, disagreement: subspace}",
         ".disagreement.on: subspace has no effect with one head of values"},
        {"{score: scaled_dot, read: differential}",
         ".read: differential needs an even number of heads, two for each difference, but there "
         "are 1"},
        {"{score: scaled_dot, heads: 2, head_combination: routing, read: {type: weighted_sum, "
         "width: 8}}",
         ".read.width: heads with a width of their own are concatenated, but head_combination is "
         "routing"},
        {"{score: scaled_dot, heads: 4, read: {type: weighted_sum, width: 6}}",
         ".heads: 4 does not divide the width 6 of values"},
        {"{score: scaled_dot, read: talking_heads}", ".read: talking_heads needs 2 heads or more"},
        {"{terms: [local]}",
         ".terms[0]: local needs queries and keys of the same sequence: use it "
         "in self_attention; over the source use window"},
        {"{normalizer: {type: structured, kind: tree}}",
         ".normalizer.kind: tree: the heads of words are words of the same sentence; use it in the "
         "self_attention of an encoder, or kind: chain here"}}) {
    ModelConfig config;
    const auto found =
        find_problems(fmt::format("{{decoder: {{attention: {}}}}}", attention), "test", config);
    ASSERT_EQ(found.size(), 1U) << attention;
    EXPECT_TRUE(found[0].text().ends_with(message)) << found[0].text();
  }
}

// A model that cannot work is refused with the reason.
TEST(ModelKeys, ThatCannotWorkTogetherSayWhy) {
  const std::string transformer = "{decoder: {type: transformer, layers: 2, ";
  for (const auto& [text, message] :
       {std::pair<std::string, const char*>{
            transformer + "self_attention: {normalizer: {type: structured, kind: tree}}}}",
            "tree: a later word of the target would change the heads of earlier ones"},
        {"{encoder: {type: transformer, self_attention: {score: location, normalizer: {type: "
         "structured, kind: tree}}}}",
         "normalizer: structured needs all queries at once, location needs them one after"},
        {"{output: hard_monotonic}", "write `attention: none` in the decoder"},
        {"{encoder: none, decoder: {attention: none}, output: hard_monotonic}",
         "aligns the target with a source, and there is none: use vocabulary"},
        {"{join: self_attentive, decoder: {attention: none}, output: hard_monotonic}",
         "needs positions in order, which the rows of model.join do not have"},
        {transformer + "alignment: {layer: 3}}}", "layer: found 3, but the decoder has 2"},
        {transformer + "alignment: {heads: [9]}}}", "heads: found 9, but the layer has 8 heads"},
        {transformer + "alignment: {heads: [1, 1]}}}", "heads: head 1 is there twice"},
        {transformer + "alignment: {heads: [0]}}}", "heads: found '0', expected numbers from 1"},
        {transformer + "attention_by_layer: {1: none}, alignment: {layer: 1}}}",
         "layer: needs attention weights over one source"}}) {
    ModelConfig config;
    const auto found = find_problems(text, "test", config);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_NE(found[0].text().find(message), std::string::npos) << found[0].text();
  }
}

}  // namespace
}  // namespace heed
