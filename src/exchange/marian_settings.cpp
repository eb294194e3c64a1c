#include "exchange/marian_settings.h"

#include <algorithm>

#include "base/log.h"
#include "config/ranges.h"
#include "config/sizes.h"
#include "data/example.h"
#include "exchange/marian_settings_reader.h"
#include "model/parameter_names_spec.h"
#include "search/length_ratio.h"

namespace heed {

namespace {

class TransformerSettingsReader final : MarianSettingsReader {
 public:
  using MarianSettingsReader::MarianSettingsReader;

  MarianSettings read() {
    require_plain();
    require_plain_transformer();
    read_sizes();
    read_norms();
    read_memory();
    problems_.refuse_if_any();
    Json own = model();
    problems_.refuse_if_any();
    known({"enc-type", "enc-cell", "enc-cell-depth", "dec-cell-base-depth", "dec-cell-high-depth",
           "dim-rnn", "skip"});
    warn_of_rest();
    return {shape_, std::move(own)};
  }

 private:
  // Letters of operations; dropout (d) has none in a translation.
  std::string operations(const std::string& key, const std::string& otherwise) {
    const Json found = get(key, otherwise);
    std::string letters = found.is_string() ? found.get<std::string>() : found.dump();
    std::erase(letters, 'd');
    return letters;
  }

  void require_plain_transformer() {
    for (const char* key : {"transformer-pool", "transformer-train-position-embeddings",
                            "transformer-no-bias", "transformer-no-affine", "layer-normalization"})
      problems_.expect(key, flag(key), {false});
    require("transformer-attention-mask", {"default"}, "default");
  }

  void read_sizes() {
    read_tables(shape_);
    shape_.encoder_layers = depth("enc-depth");
    const int64_t decoder = depth("dec-depth");
    const Json tied = get("transformer-tied-layers", Json::array());
    for (int64_t i = 1; i <= decoder; ++i) shape_.decoder_layers.push_back(i);
    if (tied.empty()) return;
    if (!tied.is_array() || std::ssize(tied) != decoder)
      return problems_.add(fmt::format(
          "transformer-tied-layers: found {}, expected the number of a layer for each of {}",
          tied.dump(), decoder));
    shape_.decoder_layers = tied.get<std::vector<int64_t>>();
  }

  void read_norms() {
    const std::string before = operations("transformer-preprocess", ""),
                      after = operations("transformer-postprocess", "dan"),
                      top = operations("transformer-postprocess-top", ""),
                      embedding = operations("transformer-postprocess-emb", "d");
    const std::string all = before + after + top + embedding;
    shape_.rms = all.find('r') != std::string::npos;
    const std::string norm = shape_.rms ? "r" : "n";
    shape_.pre_norm = before == norm && after == "a";
    shape_.final_norm = top == norm;
    shape_.embedding_norm = embedding == norm;
    const bool is_post = before.empty() && after == "a" + norm;
    if (!shape_.pre_norm && !is_post)
      problems_.add(fmt::format(
          "transformer-preprocess: {}, transformer-postprocess: {}: expected one "
          "normalization, as in d and dan, or in n and da",
          get("transformer-preprocess", "").dump(), get("transformer-postprocess", "dan").dump()));
    if (!(top.empty() || (top == norm && shape_.pre_norm)))
      problems_.expect("transformer-postprocess-top", top, {shape_.pre_norm ? norm : ""});
    if (!embedding.empty() && embedding != norm)
      problems_.expect("transformer-postprocess-emb", embedding, {"", norm});
  }

  void read_memory() {
    const Json kind = get("transformer-decoder-autoreg", "self-attention");
    problems_.expect("transformer-decoder-autoreg", kind,
                     {"self-attention", "average-attention", "rnn"});
    shape_.projection = !flag("transformer-no-projection");
    const Json cell = get("dec-cell", "gru");
    const bool projects = flag("transformer-rnn-projection");
    const int64_t depth = count("transformer-aan-depth", 2);
    const Json activation = get("transformer-aan-activation", "swish");
    const bool is_ungated = flag("transformer-aan-nogate");
    shape_.average_inner = size("transformer-dim-aan", 2048);
    if (kind == "rnn") {
      shape_.memory = MarianMemory::kSsru;
      problems_.expect("dec-cell", cell, {"ssru"});
      problems_.expect("transformer-rnn-projection", projects, {false});
    }
    if (kind != "average-attention") return;
    shape_.memory = MarianMemory::kAverage;
    problems_.expect("transformer-aan-depth", depth, {2});
    problems_.expect("transformer-aan-activation", activation, {"relu"});
    problems_.expect("transformer-aan-nogate", is_ungated, {false});
    if (shape_.average_inner == shape_.width)
      problems_.add(
          fmt::format("transformer-dim-aan: found {}, which is the width of the model, so that the "
                      "average has one layer",
                      shape_.average_inner));
    if (shape_.pre_norm)
      problems_.add(
          "transformer-decoder-autoreg: average-attention with transformer-preprocess: n: the gate "
          "reads a token that is not normalized");
  }

  int64_t heads() {
    const int64_t heads = count("transformer-heads", 8);
    if (!contains(kHeads, heads) || shape_.width % heads != 0)
      problems_.add(
          fmt::format("transformer-heads: found {}, expected a number that divides dim-emb, {}",
                      heads, shape_.width));
    return heads;
  }

  Json stack(const char* layers, const char* width_key, const char* depth_key) {
    const int64_t ffn = size("transformer-dim-ffn", 2048),
                  depth = count("transformer-ffn-depth", 2), own_ffn = size(width_key, 0),
                  own_depth = count(depth_key, 0), heads = this->heads();
    problems_.expect(own_depth != 0 ? depth_key : "transformer-ffn-depth",
                     own_depth != 0 ? own_depth : depth, {2});
    const Json activation = get("transformer-ffn-activation", "swish");
    problems_.expect("transformer-ffn-activation", activation, {"relu", "swish", "gelu"});
    shape_.gelu = activation == "gelu";
    const bool has_positions = !flag("transformer-disable-position-embeddings");
    Json positions = "none";
    if (has_positions) positions = {{"type", "sinusoidal"}, {"layout", "marian"}};
    return {{"type", "transformer"},
            {"layers", count(layers, 1)},
            {"width", shape_.width},
            {"feed_forward", own_ffn != 0 ? own_ffn : ffn},
            {"activation", activation == "relu" ? "relu" : "silu"},
            {"norm", shape_.pre_norm ? "pre" : "post"},
            {"norm_type", shape_.rms ? "rms" : "layer"},
            {"final_norm", shape_.final_norm},
            {"embedding_norm", shape_.embedding_norm},
            {"positions", positions},
            {"scale_embedding", has_positions},
            {"self_attention", {{"score", "scaled_dot"}, {"heads", heads}}}};
  }

  Json model() {
    Json encoder = stack("enc-depth", "transformer-dim-ffn", "transformer-ffn-depth"),
         decoder =
             stack("dec-depth", "transformer-decoder-dim-ffn", "transformer-decoder-ffn-depth");
    shape_.encoder_inner = encoder["feed_forward"].get<int64_t>();
    shape_.decoder_inner = decoder["feed_forward"].get<int64_t>();
    decoder["attention"] = decoder["self_attention"];
    if (shape_.memory == MarianMemory::kSsru) decoder["self_attention"] = "ssru";
    if (shape_.memory == MarianMemory::kAverage)
      decoder["self_attention"] = {{"type", "average"}, {"feed_forward", shape_.average_inner}};
    // Marian aligns by the first head of the last layer.
    if (shape_.memory != MarianMemory::kSelfAttention)
      decoder["alignment"] = {{"heads", Json::array({1})}};
    return {{"embedding", {{"width", shape_.width}, {"tie", shape_.tie}, {"zero_begin", true}}},
            {"encoder", encoder},
            {"decoder", decoder},
            {"output", {{"type", "vocabulary"}, {"bias", true}}}};
  }

  MarianShape shape_;
};

// Puts together the names of layers.
class LayerList {
 public:
  explicit LayerList(const MarianShape& shape) : shape_(shape) {}

  std::vector<MarianLayer> list() {
    const std::string encoder = names::encoder(kSourceSide), decoder = names::kDecoder;
    for (int64_t i = 0; i < shape_.encoder_layers; ++i) {
      const std::string to = fmt::format("encoder_l{}", i + 1);
      const names::TransformerLayerNames own(names::layer(encoder, i));
      attention(own.self_attention, own.self_norm, to + "_self");
      feed_forward(own, to, shape_.encoder_inner);
    }
    for (int64_t i = 0; i < std::ssize(shape_.decoder_layers); ++i) {
      const std::string to =
          fmt::format("decoder_l{}", shape_.decoder_layers[static_cast<size_t>(i)]);
      const names::TransformerLayerNames own(names::layer(decoder, i));
      memory(own, to);
      attention(own.cross_attention, own.cross_norm, to + "_context");
      feed_forward(own, to, shape_.decoder_inner);
    }
    for (const auto& [own, to] : {std::pair{encoder, "encoder"}, {decoder, "decoder"}}) {
      const names::TransformerStackNames names(own);
      if (shape_.embedding_norm) norm(names.embedding_norm, fmt::format("{}_emb", to), "_pre");
      if (shape_.pre_norm && shape_.final_norm) norm(names.final_norm, fmt::format("{}_top", to));
    }
    return std::move(list_);
  }

 private:
  // inputs, outputs: 0: the width of the model
  void linear(const std::string& own, const std::string& to, const std::string& name,
              int64_t inputs = 0, int64_t outputs = 0) {
    list_.push_back({.own = own,
                     .weight = fmt::format("{}_W{}", to, name),
                     .bias = fmt::format("{}_b{}", to, name),
                     .inputs = inputs == 0 ? shape_.width : inputs,
                     .outputs = outputs == 0 ? shape_.width : outputs});
  }
  void norm(const std::string& own, const std::string& to, const std::string& ending = "") {
    const std::string word = shape_.rms ? "rms" : "ln";
    list_.push_back({.own = own,
                     .weight = fmt::format("{}_{}_scale{}", to, word, ending),
                     .bias = shape_.rms ? "" : fmt::format("{}_{}_bias{}", to, word, ending),
                     .is_linear = false,
                     .outputs = shape_.width});
  }
  void norm_of_layer(const std::string& own, const std::string& to) {
    norm(own, to, shape_.pre_norm ? "_pre" : "");
  }
  void attention(const names::AttentionNames& own, const std::string& own_norm,
                 const std::string& to) {
    linear(own.query, to, "q");
    linear(own.key, to, "k");
    linear(own.value, to, "v");
    if (shape_.projection) linear(own.output, to, "o");
    norm_of_layer(own_norm, to + "_Wo");
  }
  void memory(const names::TransformerLayerNames& own, const std::string& to) {
    const names::LightAttentionNames& light = own.light_attention;
    if (shape_.memory == MarianMemory::kSelfAttention) {
      attention(own.self_attention, own.self_norm, to + "_self");
    } else if (shape_.memory == MarianMemory::kSsru) {
      linear(light.forget, to + "_rnn", "f");
      list_.push_back({.own = light.input,
                       .weight = to + "_rnn_W",
                       .bias = "",
                       .inputs = shape_.width,
                       .outputs = shape_.width});
      norm_of_layer(own.self_norm, to + (shape_.pre_norm ? "_rnn" : "_rnn_ffn"));
    } else {
      linear(light.inner, to + "_aan", "1", 0, shape_.average_inner);
      linear(light.outer, to + "_aan", "2", shape_.average_inner);
      norm_of_layer(own.self_norm, to + "_aan_ffn");
    }
  }
  void feed_forward(const names::TransformerLayerNames& own, const std::string& to, int64_t inner) {
    linear(own.inner, to + "_ffn", "1", 0, inner);
    linear(own.outer, to + "_ffn", "2", inner);
    norm_of_layer(own.feed_forward_norm, to + "_ffn_ffn");
  }

  const MarianShape& shape_;
  std::vector<MarianLayer> list_;
};

}  // namespace

std::vector<MarianLayer> marian_layers(const MarianShape& shape) { return LayerList(shape).list(); }

std::vector<MarianGates> marian_gates(const MarianShape& shape) {
  std::vector<MarianGates> gates;
  if (shape.memory != MarianMemory::kAverage) return gates;
  for (int64_t i = 0; i < std::ssize(shape.decoder_layers); ++i) {
    const std::string to =
        fmt::format("decoder_l{}_aan", shape.decoder_layers[static_cast<size_t>(i)]);
    const names::TransformerLayerNames own(names::layer(names::kDecoder, i));
    gates.push_back({own.light_attention.gates, to + "_{}i", to + "_{}f"});
  }
  return gates;
}

MarianSettings read_marian_settings(const Json& settings) {
  if (!settings.is_object())
    refuse_model_of_toolkit("special:model.yml has no settings, expected a map of keys");
  ToolkitProblems problems;
  const Json type = setting(settings, "type");
  problems.expect("type", type, {"transformer", "s2s", "amun", "nematus"});
  problems.refuse_if_any();
  if (type == "transformer") return TransformerSettingsReader(settings).read();
  MarianRecurrentSettings recurrent = read_marian_recurrent_settings(settings);
  recurrent.shape.has_names_of_nematus = type != "s2s";
  return {std::move(recurrent.shape), std::move(recurrent.model)};
}

Json marian_search(const YamlFile& found, bool is_quantized) {
  ToolkitSearchReader read(found, "");
  const bool is_firefox = found.values.empty() && is_quantized;
  constexpr Range kLengthPenalties{0, 100};  // those of search.length_penalty
  const double penalty = read.real("word-penalty", 0, kAnyNumber);
  if (penalty != 0)
    spdlog::warn("{} ({}) is left out: heed's search has no such setting",
                 found.place("word-penalty"), penalty);
  const double factor = read.real("max-length-factor", 3, Range{0, kMostLengthRatio});
  const Json search = {
      {"beam", read.whole("beam-size", is_firefox ? 1 : 12, kBeams)},
      {"length_penalty", read.real("normalize", is_firefox ? 1 : 0, kLengthPenalties)},
      {"length_normalization", "plain"},
      {"max_length_ratio", factor},
      {"max_length_extra", std::max<int64_t>(1, static_cast<int64_t>(factor))},
      {"allow_unknown", read.flag("allow-unk", false)}};
  read.refuse_if_any();
  return search;
}

}  // namespace heed
