#include "exchange/hf_t5.h"

#include "base/error.h"
#include "base/log.h"
#include "data/example.h"
#include "exchange/json_settings.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

constexpr double kEpsilon = 1e-6;  // of RmsNorm

struct T5Activation {
  const char *projection, *function;  // feed_forward_proj, dense_act_fn
  const char* own;
};
constexpr T5Activation kT5Activations[] = {{"relu", "relu", "relu"},
                                           {"gelu", "gelu", "gelu"},
                                           {"silu", "silu", "silu"},
                                           {"gated-gelu", "gelu_new", "gated_gelu_tanh"},
                                           {"gated-silu", "silu", "gated"}};

std::string activation_of(JsonSettings& config) {
  const std::string projection = config.word("feed_forward_proj", "relu");
  for (const T5Activation& known : kT5Activations) {
    if (projection != known.projection) continue;
    const std::string function = config.word("dense_act_fn", known.function);
    if (function != known.function)
      config.add_problem(fmt::format("dense_act_fn is '{}', expected {} with feed_forward_proj {}",
                                     function, known.function, projection));
    if (const bool gated = projection.starts_with("gated");
        config.truth("is_gated_act", gated) != gated)
      config.add_problem(fmt::format("is_gated_act is {}, expected {} with feed_forward_proj {}",
                                     !gated, gated, projection));
    return known.own;
  }
  config.add_problem(
      fmt::format("feed_forward_proj is '{}', expected relu, gelu, silu, gated-gelu or gated-silu",
                  projection));
  return "";
}

// Lists the prefixes that lines of a task begin with, such as "translate English to German: ".
void report_tasks(const JsonSettings& config) {
  std::vector<std::string> prefixes;
  const auto others = config.others();
  const auto tasks = others.find("task_specific_params");
  if (tasks == others.end() || !tasks->second.is_object()) return;
  for (const auto& [task, settings] : tasks->second.items()) {
    if (settings.is_object() && settings.contains("prefix") && settings["prefix"].is_string())
      prefixes.push_back(fmt::format("'{}'", settings["prefix"].get<std::string>()));
  }
  if (!prefixes.empty())
    spdlog::info("a source line begins with its task: {}", fmt::join(prefixes, ", "));
}

std::string attention_text(const HfSettings& from, bool has_distances) {
  const int64_t width = from.encoder.heads * from.t5.head_width;
  const std::string terms =
      has_distances ? fmt::format("terms: [{{type: bucket_bias, buckets: {}, max_distance: {}}}], ",
                                  from.t5.buckets, from.t5.max_distance)
                    : "";
  return fmt::format(
      "{{score: {{type: dot, width: {0}}}, {1}read: {{type: weighted_sum, width: {0}}}, heads: "
      "{2}, "
      "dropout: {3}}}",
      width, terms, from.encoder.heads, from.attention_dropout);
}

std::string layers_text(const HfSettings& from, const HfStack& stack) {
  return fmt::format(
      "type: transformer, layers: {}, width: {}, feed_forward: {}, activation: {}, norm: pre, "
      "norm_type: rms, positions: none, scale_embedding: false, dropout: {}, activation_dropout: "
      "{}, self_attention: {}",
      stack.layers, from.width, stack.feed_forward, from.activation, from.dropout,
      from.activation_dropout, attention_text(from, true));
}

class T5Names {
 public:
  explicit T5Names(const HfSettings& from) : from_(from) {}

  void add_stack(const std::string& own, const std::string& other, const HfStack& stack) {
    const bool is_decoder = own == names::kDecoder;
    for (int64_t i = 0; i < stack.layers; ++i) {
      const names::TransformerLayerNames layer(names::layer(own, i));
      int64_t sublayer = 0;
      const auto next = [&] { return fmt::format("{}.block.{}.layer.{}", other, i, sublayer++); };
      const std::string self = next();
      add_attention(layer.self_attention, self + ".SelfAttention");
      add(layer.self_norm, self + ".layer_norm");
      add_distances(layer.self_attention, other, i);
      if (is_decoder) {
        const std::string cross = next();
        add_attention(layer.cross_attention, cross + ".EncDecAttention");
        add(layer.cross_norm, cross + ".layer_norm");
      }
      add_feed_forward(layer, next());
    }
    add(names::TransformerStackNames(own).final_norm, other + ".final_layer_norm");
  }
  std::vector<NamePair> take() { return std::move(names_); }

 private:
  void add(const std::string& own, const std::string& other) {
    names_.push_back({names::weight(own), other + ".weight", Stream::kVector});
  }
  void add_attention(const names::AttentionNames& own, const std::string& other) {
    add(own.query, other + ".q");
    add(own.key, other + ".k");
    add(own.value, other + ".v");
    add(own.output, other + ".o");
  }
  void add_distances(const names::AttentionNames& own, const std::string& other, int64_t layer) {
    const bool is_own = from_.kind.distances == HfDistances::kEachLayer;
    names_.push_back(
        {own.term_bias(0),
         fmt::format("{}.block.{}.layer.0.SelfAttention.relative_attention_bias.weight", other,
                     is_own ? layer : 0),
         Stream::kVector});
  }
  void add_feed_forward(const names::TransformerLayerNames& layer, const std::string& to) {
    const std::string dense = to + ".DenseReluDense";
    const bool gated = from_.activation.starts_with("gated");
    add(layer.inner, dense + (gated ? ".wi_0" : ".wi"));
    if (gated) add(layer.gate, dense + ".wi_1");
    add(layer.outer, dense + ".wo");
    add(layer.feed_forward_norm, to + ".layer_norm");
  }

  const HfSettings& from_;
  std::vector<NamePair> names_;
};

}  // namespace

void read_t5_config(JsonSettings& config, HfSettings& settings) {
  settings.encoder = {.layers = config.whole("num_layers"),
                      .feed_forward = config.whole("d_ff"),
                      .heads = config.whole("num_heads")};
  settings.decoder = settings.encoder;
  settings.decoder.layers = config.whole("num_decoder_layers", settings.encoder.layers);
  settings.activation = activation_of(config);
  settings.t5 = {.head_width = config.whole("d_kv"),
                 .buckets = config.whole("relative_attention_num_buckets", 32),
                 .max_distance = config.whole("relative_attention_max_distance", 128)};
  // Versions 5 save this key and tie_word_embeddings: true; older ones scale tied outputs alone.
  settings.t5.may_be_untied = config.has("scale_decoder_outputs");
  settings.t5.scales_output =
      config.truth("scale_decoder_outputs", config.truth("tie_word_embeddings", true));
  settings.dropout = settings.attention_dropout = settings.activation_dropout =
      config.real("dropout_rate", 0.1);
  if (const double epsilon = config.real("layer_norm_epsilon", kEpsilon); epsilon != kEpsilon)
    config.add_problem(
        fmt::format("layer_norm_epsilon is {}, expected {}, that of heed", epsilon, kEpsilon));
  report_tasks(config);
}

std::string t5_model_text(const HfSettings& from) {
  return fmt::format(
      "{{embedding: {{width: {}, tie: {}}}, encoder: {{{}}}, decoder: {{{}, attention: {}}}, "
      "output: {{type: vocabulary, bias: true}}}}",
      from.width, from.ties_output ? "all" : "none", layers_text(from, from.encoder),
      layers_text(from, from.decoder), attention_text(from, false));
}

std::vector<NamePair> t5_names(const HfSettings& from) {
  T5Names list(from);
  list.add_stack(names::encoder(kSourceSide), "encoder", from.encoder);
  list.add_stack(names::kDecoder, "decoder", from.decoder);
  return list.take();
}

std::map<int64_t, std::string> t5_sentinels(int64_t pieces, int64_t count) {
  std::map<int64_t, std::string> tokens;
  for (int64_t i = 0; i < count; ++i)
    tokens.emplace(pieces + count - 1 - i, fmt::format("<extra_id_{}>", i));
  return tokens;
}

}  // namespace heed
