#include "inference/engine_config.h"

#include <map>
#include <vector>

#include "config/reader.h"
#include "config/sizes.h"
#include "data/example.h"
#include "data/tags.h"
#include "inference/recurrent_engine.h"
#include "inference/recurrent_keys.h"
#include "inference/saved_keys.h"
#include "inference/transformer_engine.h"
#include "inference/transformer_keys.h"

namespace heed {

namespace {

// Source factors, which no engine supports.
struct FactorKeys final : Settings {
  void fields(Fields&) const override {}
};

struct EmbeddingKeys final : Settings {
  int64_t width = 0;
  double dropout = 0, source_word_dropout = 0, target_word_dropout = 0;
  std::string tie, tag;
  std::map<std::string, FactorKeys> source_factors;
  void fields(Fields& f) const override {
    f.field("width", width, kWidths, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("source_word_dropout", source_word_dropout, kDropout, kNoHelp);
    f.field("target_word_dropout", target_word_dropout, kDropout, kNoHelp);
    f.field("tie", tie, kNoHelp);
    f.field("tag", tag, kNoHelp);
    f.map("source_factors", source_factors, kNoHelp);
  }
};

struct OutputKeys final : PlainKeys {
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
  std::map<std::string, std::shared_ptr<PlainKeys>> encoders;
  bool source_end = true;
  std::shared_ptr<PlainKeys> encoder, join, decoder, output;
  InitializerKeys initializer;
  void fields(Fields& f) const override {
    static const Registry<PlainKeys> encoder_kinds = {transformer_encoder_keys(),
                                                      recurrent_encoder_keys()};
    static const Registry<PlainKeys> decoder_kinds = {transformer_decoder_keys(),
                                                      recurrent_decoder_keys()};
    static const Registry<PlainKeys> outputs = {kind<OutputKeys, PlainKeys>("vocabulary", kNoHelp)};
    f.section("embedding", embedding, kNoHelp);
    f.map_of("encoders", encoders, no_kinds(), kNoHelp);
    f.one_of("encoder", encoder, encoder_kinds, kNoHelp);
    f.field("source_end", source_end, kNoHelp);
    f.one_of("join", join, no_kinds(), kNoHelp, true);
    f.one_of("decoder", decoder, decoder_kinds, kNoHelp);
    f.one_of("output", output, outputs, kNoHelp);
    f.section("initializer", initializer, kNoHelp);
  }
  VocabularyShape vocabulary(const std::string& source) const {
    return {.source = source,
            .embedding = embedding.width,
            .source_is_tied = embedding.tie == "all",
            .output_is_tied = embedding.tie != "none",
            .output_bias = static_cast<const OutputKeys&>(*output).bias,
            .source_end = source_end};
  }
};

struct SavedKeys final : Settings {
  std::vector<std::string> sources;
  Tags tags;
  TextConfigs text;
  ModelKeys model;
  SearchConfig search;
  std::optional<int64_t> max_length;
  std::string target_words, source_language, target_language;
  std::optional<SourceFacts> source_lines;
  void fields(Fields& f) const override {
    f.list("sources", sources, kNoHelp);
    f.list("tags", tags, kNoHelp);
    f.map("text", text, kNoHelp);
    f.section("model", model, kNoHelp);
    f.section("search", search, kNoHelp);
    f.field("max_length", max_length, kLengths, kNoHelp);
    f.field("target_words", target_words, kNoHelp);
    f.field("source_language", source_language, kNoHelp);
    f.field("target_language", target_language, kNoHelp);
    f.section("source_lines", source_lines, kNoHelp);
  }
  void validate(Problems& problems) const override { validate_sharing(text, problems); }
};

std::optional<EngineShape> shape_of(const ModelKeys& model, const std::string& source) {
  const VocabularyShape vocabulary = model.vocabulary(source);
  if (auto shape = transformer_shape_of(vocabulary, *model.encoder, *model.decoder)) return *shape;
  if (auto shape = recurrent_shape_of(vocabulary, *model.encoder, *model.decoder)) return *shape;
  return std::nullopt;
}

}  // namespace

std::optional<EngineConfig> read_engine_config(const std::string& config) {
  SavedKeys keys;
  if (!find_problems(config, "config.yaml", keys, {.overrides = {}, .saved = true}).empty())
    return std::nullopt;
  const ModelKeys& model = keys.model;
  if (!model.encoder || !model.decoder || !model.output || keys.sources.size() != 1 ||
      !keys.tags.empty() || !model.embedding.source_factors.empty() ||
      !keys.text.contains(keys.sources[0]) || !keys.text.contains(kTargetSide))
    return std::nullopt;
  auto shape = shape_of(model, keys.sources.front());
  if (!shape) return std::nullopt;
  return EngineConfig{.shape = std::move(*shape),
                      .source = keys.sources.front(),
                      .text = std::move(keys.text),
                      .search = keys.search,
                      .max_length = keys.max_length,
                      .target_words = keys.target_words,
                      .source_language = keys.source_language,
                      .target_language = keys.target_language,
                      .source_lines = keys.source_lines};
}

ParameterShapes::Map parameter_shapes(const EngineShape& shape, const VocabularySize& size) {
  return std::visit([&](const auto& own) { return parameter_shapes(own, size); }, shape);
}

std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Weights& weights,
                                           Precision precision, const Kernels& set) {
  if (const auto* transformer = std::get_if<TransformerShape>(&shape))
    return std::make_unique<TransformerEngine>(*transformer, weights, precision, set);
  return std::make_unique<RecurrentEngine>(std::get<RecurrentShape>(shape), weights, precision,
                                           set);
}

}  // namespace heed
