#include "inference/transformer_shape.h"

#include <memory>
#include <vector>

#include "base/error.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "data/example.h"
#include "data/tags.h"
#include "search/search_config.h"
#include "text/text_config.h"

namespace heed {

namespace {

using Activation = StackShape::Activation;
using Positions = StackShape::Positions;

// The keys of a saved config with a supported model. Any other key or kind is a reading error, so
// other models are not supported. A saved config has all keys; their meanings and defaults are
// documented in nn/ and model/.

constexpr const char* kNoHelp = "";

struct Plain : KindSettings {
  void fields(Fields&) const override {}
};

struct ScaledDot final : Plain {
  std::optional<bool> project;
  int64_t width = 0;
  void fields(Fields& f) const override {
    f.field("project", project, kNoHelp);
    f.field("width", width, kWidthsOrNone, kNoHelp);
  }
};

struct WeightedSum final : Plain {
  std::optional<bool> project;
  void fields(Fields& f) const override { f.field("project", project, kNoHelp); }
};

struct Staged final : Plain {
  std::shared_ptr<Plain> score, normalizer, read, head_combination, disagreement;
  std::vector<std::shared_ptr<Plain>> terms;
  int64_t heads = 1;
  double dropout = 0;
  void fields(Fields& f) const override {
    static const Registry<Plain> scores = {kind<ScaledDot, Plain>("scaled_dot", kNoHelp)};
    static const Registry<Plain> normalizers = {kind<Plain, Plain>("softmax", kNoHelp)};
    static const Registry<Plain> readouts = {kind<WeightedSum, Plain>("weighted_sum", kNoHelp)};
    static const Registry<Plain> combinations = {kind<Plain, Plain>("concat", kNoHelp)};
    static const Registry<Plain> none = {};
    f.one_of("score", score, scores, kNoHelp);
    f.list_of("terms", terms, none, kNoHelp);
    f.one_of("normalizer", normalizer, normalizers, kNoHelp);
    f.one_of("read", read, readouts, kNoHelp);
    f.field("heads", heads, kHeads, kNoHelp);
    f.one_of("head_combination", head_combination, combinations, kNoHelp);
    f.one_of("disagreement", disagreement, none, kNoHelp, true);
    f.field("dropout", dropout, kDropout, kNoHelp);
  }
  // Whether queries, keys, values and output are projected to the model width.
  bool is_standard(int64_t block) const {
    const auto& dot = static_cast<const ScaledDot&>(*score);
    const auto& sum = static_cast<const WeightedSum&>(*read);
    return dot.project.value_or(true) && sum.project.value_or(true) &&
           (dot.width == 0 || dot.width == block) && block % heads == 0;
  }
};
const Registry<Plain>& attention_kinds() {
  static const Registry<Plain> kinds = {kind<Staged, Plain>("staged", kNoHelp)};
  return kinds;
}

struct PositionKeys : Plain {
  explicit PositionKeys(Positions kind) : kind(kind) {}
  Positions kind;
  int64_t max_positions = 0;
};
template <Positions which>
struct PlainPositions final : PositionKeys {
  PlainPositions() : PositionKeys(which) {}
};
struct LearnedPositions final : PositionKeys {
  LearnedPositions() : PositionKeys(Positions::kLearned) {}
  void fields(Fields& f) const override {
    f.field("max_positions", max_positions, kTablePositions, kNoHelp);
  }
};

struct Stack : Plain {
  StackShape shape;
  std::string norm = "pre";
  std::shared_ptr<PositionKeys> positions;
  std::shared_ptr<Plain> self_attention;
  double dropout = 0, activation_dropout = 0;
  void fields(Fields& f) const override {
    static const Words<Activation> activations = {
        {"relu", Activation::kRelu}, {"gelu", Activation::kGelu}, {"gated", Activation::kGated}};
    static const Words<bool> norms = {{"pre", false}, {"post", true}};
    static const Registry<PositionKeys> position_kinds = {
        kind<PlainPositions<Positions::kSinusoidal>, PositionKeys>("sinusoidal", kNoHelp),
        kind<LearnedPositions, PositionKeys>("learned", kNoHelp),
        kind<PlainPositions<Positions::kNone>, PositionKeys>("none", kNoHelp)};
    f.field("layers", shape.layers, kLayers, kNoHelp);
    f.field("width", shape.width, kWidths, kNoHelp);
    f.field("feed_forward", shape.feed_forward, kWidths, kNoHelp);
    f.choice("activation", shape.activation, activations, kNoHelp);
    f.choice("norm", shape.post_norm, norms, kNoHelp);
    f.one_of("positions", positions, position_kinds, kNoHelp);
    f.field("scale_embedding", shape.scale_embedding, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("activation_dropout", activation_dropout, kDropout, kNoHelp);
    f.one_of("self_attention", self_attention, attention_kinds(), kNoHelp);
  }
  bool is_standard() const {
    return static_cast<const Staged&>(*self_attention).is_standard(shape.width);
  }
  StackShape resolved() const {
    StackShape result = shape;
    result.heads = static_cast<const Staged&>(*self_attention).heads;
    result.positions = positions->kind;
    result.max_positions = positions->max_positions;
    return result;
  }
};

struct DecoderStack final : Stack {
  std::shared_ptr<Plain> attention;
  void fields(Fields& f) const override {
    Stack::fields(f);
    f.one_of("attention", attention, attention_kinds(), kNoHelp);
  }
};

struct EmbeddingKeys final : Settings {
  int64_t width = 0;
  double dropout = 0;
  std::string tie, tag;
  void fields(Fields& f) const override {
    f.field("width", width, kWidths, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("tie", tie, kNoHelp);
    f.field("tag", tag, kNoHelp);
  }
};

struct OutputKeys final : Plain {
  bool bias = true;
  void fields(Fields& f) const override { f.field("bias", bias, kNoHelp); }
};

struct InitializerKeys final : Settings {
  std::string method;
  double scale = 0;
  void fields(Fields& f) const override {
    f.field("method", method, kNoHelp);
    f.field("scale", scale, kAnyNumber, kNoHelp);
  }
};

struct ModelKeys final : Settings {
  EmbeddingKeys embedding;
  std::map<std::string, std::shared_ptr<Plain>> encoders;
  std::shared_ptr<Plain> encoder, join, decoder, output;
  InitializerKeys initializer;
  void fields(Fields& f) const override {
    static const Registry<Plain> none = {};
    static const Registry<Plain> encoder_kinds = {kind<Stack, Plain>("transformer", kNoHelp)};
    static const Registry<Plain> decoder_kinds = {
        kind<DecoderStack, Plain>("transformer", kNoHelp)};
    static const Registry<Plain> outputs = {kind<OutputKeys, Plain>("vocabulary", kNoHelp)};
    f.section("embedding", embedding, kNoHelp);
    f.map_of("encoders", encoders, none, kNoHelp);
    f.one_of("encoder", encoder, encoder_kinds, kNoHelp);
    f.one_of("join", join, none, kNoHelp, true);
    f.one_of("decoder", decoder, decoder_kinds, kNoHelp);
    f.one_of("output", output, outputs, kNoHelp);
    f.section("initializer", initializer, kNoHelp);
  }
};

struct SavedKeys final : Settings {
  std::vector<std::string> sources;
  Tags tags;
  TextConfigs text;
  ModelKeys model;
  SearchConfig search;
  std::optional<int64_t> max_length;
  std::string target_words;
  void fields(Fields& f) const override {
    f.list("sources", sources, kNoHelp);
    f.list("tags", tags, kNoHelp);
    f.map("text", text, kNoHelp);
    f.section("model", model, kNoHelp);
    f.section("search", search, kNoHelp);
    f.field("max_length", max_length, kLengths, kNoHelp);
    f.field("target_words", target_words, kNoHelp);
  }
  void validate(Problems& problems) const override { validate_sharing(text, problems); }
};

}  // namespace

std::optional<TransformerConfig> read_transformer_config(const std::string& config) {
  SavedKeys keys;
  if (!find_problems(config, "config.yaml", keys, {.overrides = {}, .saved = true}).empty())
    return std::nullopt;
  const ModelKeys& model = keys.model;
  if (!model.encoder || !model.decoder || !model.output || keys.sources.size() != 1 ||
      !keys.tags.empty() || !keys.text.contains(keys.sources[0]) ||
      !keys.text.contains(kTargetSide))
    return std::nullopt;
  const auto& encoder = static_cast<const Stack&>(*model.encoder);
  const auto& decoder = static_cast<const DecoderStack&>(*model.decoder);
  const auto& cross = static_cast<const Staged&>(*decoder.attention);
  if (!encoder.is_standard() || !decoder.is_standard() || !cross.is_standard(decoder.shape.width))
    return std::nullopt;
  const std::string& tie = model.embedding.tie;
  return TransformerConfig{
      .shape = {.source = keys.sources.front(),
                .embedding = model.embedding.width,
                .source_is_tied = tie == "all",
                .output_is_tied = tie != "none",
                .output_bias = static_cast<const OutputKeys&>(*model.output).bias,
                .encoder = encoder.resolved(),
                .decoder = decoder.resolved(),
                .cross_heads = cross.heads},
      .text = std::move(keys.text),
      .search = keys.search,
      .max_length = keys.max_length,
      .target_words = keys.target_words};
}

namespace {

class ShapeList {
 public:
  std::map<std::string, std::vector<int64_t>> shapes;

  void linear(const std::string& name, int64_t inputs, int64_t outputs) {
    shapes[name + ".weight"] = {outputs, inputs};
    shapes[name + ".bias"] = {outputs};
  }
  void norm(const std::string& name, int64_t width) {
    shapes[name + ".weight"] = shapes[name + ".bias"] = {width};
  }
  void attention(const std::string& name, int64_t queries, int64_t keys) {
    linear(name + ".score.query", queries, queries);
    linear(name + ".score.key", keys, queries);
    linear(name + ".read.value", keys, queries);
    linear(name + ".read.output", queries, queries);
  }
  void stack(const std::string& name, const StackShape& shape, int64_t embedding) {
    if (embedding != shape.width)
      shapes[name + ".input.to_width.weight"] = {shape.width, embedding};
    if (shape.positions == Positions::kLearned)
      shapes[name + ".input.positions.table"] = {shape.max_positions, shape.width};
    for (int64_t i = 0; i < shape.layers; ++i) {
      const std::string layer = fmt::format("{}.layer_{}", name, i);
      attention(layer + ".self_attention", shape.width, shape.width);
      norm(layer + ".self_residual.norm", shape.width);
      linear(layer + ".feed_forward.inner", shape.width, shape.feed_forward);
      if (shape.activation == Activation::kGated)
        linear(layer + ".feed_forward.gate", shape.width, shape.feed_forward);
      linear(layer + ".feed_forward.outer", shape.feed_forward, shape.width);
      norm(layer + ".feed_forward_residual.norm", shape.width);
    }
    if (!shape.post_norm) norm(name + ".final_norm", shape.width);
  }
};

}  // namespace

std::map<std::string, std::vector<int64_t>> parameter_shapes(const TransformerShape& shape,
                                                             int64_t sources, int64_t targets) {
  ShapeList list;
  list.shapes["target.embedding"] = {targets, shape.embedding};
  if (!shape.source_is_tied)
    list.shapes["source_" + shape.source + ".embedding"] = {sources, shape.embedding};
  list.stack("encoder_" + shape.source, shape.encoder, shape.embedding);
  list.stack("decoder", shape.decoder, shape.embedding);
  for (int64_t i = 0; i < shape.decoder.layers; ++i) {
    const std::string layer = fmt::format("decoder.layer_{}", i);
    list.attention(layer + ".attention", shape.decoder.width, shape.encoder.width);
    list.norm(layer + ".residual.norm", shape.decoder.width);
  }
  if (shape.output_is_tied && shape.decoder.width != shape.embedding)
    list.shapes["output.to_embedding.weight"] = {shape.embedding, shape.decoder.width};
  if (!shape.output_is_tied) list.shapes["output.weight"] = {targets, shape.decoder.width};
  if (shape.output_bias) list.shapes["output.bias"] = {targets};
  return std::move(list.shapes);
}

}  // namespace heed
