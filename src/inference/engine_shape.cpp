#include "inference/engine_shape.h"

#include <algorithm>

#include "base/file.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "inference/convolution_engine.h"
#include "inference/last_state_engine.h"
#include "inference/recurrent_engine.h"
#include "inference/transformer_engine.h"
#include "model/model_spec.h"
#include "packed/stored_tensors.h"

namespace heed {

namespace {

std::vector<FactorShape> factor_shapes(const EmbeddingConfig& embedding,
                                       const std::string& source) {
  std::vector<FactorShape> factors;
  for (const auto& [name, factor] : embedding.source_factors) {
    if (!factor.is_of(source)) continue;
    factors.push_back({.name = name,
                       .width = factor.width.value_or(embedding.width),
                       .is_added = factor.combine == Combine::kSum});
  }
  return factors;
}

// The text side whose vocabulary a source uses.
std::string vocabulary_of(const SavedModelConfig& config, const std::string& source) {
  return config.text.contains(source) ? owner_of(config.text, source) : source;
}

// Embeddings are shared as in Seq2Seq::embedding_of(): with the source of a shared encoder, or with
// the first one of this vocabulary.
std::vector<SourceShape> source_shapes(const SavedModelConfig& config, const ModelPlan& plan) {
  std::vector<SourceShape> sources;
  std::map<std::string, std::string> embedding_of;  // of a source
  const auto add_embeddings = [&](const SourcePlan& source) {
    const std::string vocabulary = vocabulary_of(config, source.name);
    if (source.shares() && vocabulary_of(config, source.owner) == vocabulary)
      return embedding_of.emplace(source.name, embedding_of.at(source.owner));
    for (const auto& [name, embedding] : embedding_of) {
      if (config.model.embedding.share_sources && vocabulary_of(config, name) == vocabulary)
        return embedding_of.emplace(source.name, embedding);
    }
    return embedding_of.emplace(source.name, source.name);
  };
  for (const bool shares : {false, true}) {
    for (const SourcePlan& source : plan.sources) {
      if (source.shares() == shares) add_embeddings(source);
    }
  }
  for (const SourcePlan& source : plan.sources)
    sources.push_back({.name = source.name,
                       .encoder = source.owner,
                       .embedding = embedding_of.at(source.name),
                       .factors = factor_shapes(config.model.embedding, source.name)});
  return sources;
}

VocabularyShape vocabulary_shape(const SavedModelConfig& config, const ModelPlan& plan,
                                 const OutputShape& output) {
  const EmbeddingConfig& embedding = config.model.embedding;
  const bool has_tags = !config.tags.empty(), both = embedding.tag == TagPlace::kBoth;
  return {.sources = source_shapes(config, plan),
          .attended = plan.attended,
          .embedding = embedding.width,
          .source_is_tied = embedding.ties_source(),
          .output_is_tied = embedding.ties_output(),
          .source_end = config.model.source_end,
          .source_tag = has_tags && (both || embedding.tag == TagPlace::kSource),
          .target_tag = has_tags && (both || embedding.tag == TagPlace::kTarget),
          .output = output};
}

bool fits(const SavedEngine& model, const TensorEntries& entries) {
  const VocabularyShape& vocabulary = vocabulary_of(model.shape);
  const VocabularySizes sizes = vocabulary_sizes(model.text.config, model.text.codecs);
  const VocabularySize size{.sources = sizes.sources,
                            .target = sizes.target,
                            .tags = sizes.tags,
                            .factors = sizes.factors};
  for (const auto& [name, count] : size.sources) {
    if (vocabulary.source_is_tied && count != size.target) return false;
  }
  const auto shapes = parameter_shapes(model.shape, size);
  return std::ranges::equal(shapes, entries, [](const auto& expected, const auto& entry) {
    return entry.first == expected.first && entry.second.shape == expected.second &&
           entry.second.type == ElementType::kFloat32;
  });
}

// The hashes say better what is wrong with a config that cannot be read.
SavedModelConfig config_in(const fs::path& folder) try {
  return read_model_config(folder);
} catch (const Error&) {
  check_manifest(folder);
  throw;
}

}  // namespace

std::optional<EngineShape> engine_shape(const SavedModelConfig& config) {
  const ModelConfig& model = config.model;
  const auto plan = find_plan(model);
  if (!plan) return std::nullopt;
  const auto output = output_shape(model, *plan);
  if (!output) return std::nullopt;
  const VocabularyShape vocabulary = vocabulary_shape(config, *plan, *output);
  if (const auto shape = recurrent_shape(model, *plan, vocabulary)) return *shape;
  if (const auto shape = last_state_shape(model, *plan, vocabulary)) return *shape;
  if (plan->sources.size() != 1 || model.join) return std::nullopt;
  if (const auto shape = transformer_shape(model, *plan, vocabulary)) return *shape;
  if (const auto shape = convolution_shape(model, *plan, vocabulary)) return *shape;
  return std::nullopt;
}

void set_markers(EngineShape& shape, const std::map<std::string, int32_t>& markers) {
  const auto set = [&](auto& own) {
    for (SourceShape& source : own.vocabulary.sources) {
      const auto found = markers.find(source.name);
      if (found != markers.end()) source.marker = found->second;
    }
  };
  std::visit(set, shape);
}

std::map<std::string, int32_t> markers_of(const Codecs& codecs) {
  std::map<std::string, int32_t> markers;
  for (const auto& [name, codec] : codecs) {
    if (const auto marker = codec->marker()) markers[name] = *marker;
  }
  return markers;
}

const VocabularyShape& vocabulary_of(const EngineShape& shape) {
  return std::visit([](const auto& own) -> const VocabularyShape& { return own.vocabulary; },
                    shape);
}

ParameterShapes::Map parameter_shapes(const EngineShape& shape, const VocabularySize& size) {
  return std::visit([&](const auto& own) { return parameter_shapes(own, size); }, shape);
}

std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Packer& packer,
                                           const Kernels& set) {
  if (const auto* transformer = std::get_if<TransformerShape>(&shape))
    return std::make_unique<TransformerEngine>(*transformer, packer, set);
  if (const auto* convolution = std::get_if<ConvolutionShape>(&shape))
    return std::make_unique<ConvolutionEngine>(*convolution, packer, set);
  if (const auto* last = std::get_if<LastStateShape>(&shape))
    return std::make_unique<LastStateEngine>(*last, packer, set);
  return std::make_unique<RecurrentEngine>(std::get<RecurrentShape>(shape), packer, set);
}

std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Weights& weights,
                                           Precision precision, const Kernels& set) {
  return build_engine(shape, Packer(weights, precision, set), set);
}

namespace {

// A model with its tensors, whose engine is to be built.
struct StoredModel {
  SavedEngine saved;
  StoredTensors tensors;
};

std::optional<StoredModel> stored_model(const fs::path& folder) {
  SavedModelConfig config = config_in(folder);
  auto shape = engine_shape(config);
  if (!shape) return std::nullopt;
  StoredModel model{{read_model_text(folder, std::move(config)), std::move(*shape), nullptr},
                    StoredTensors(folder / kModelTensors)};
  if (!fits(model.saved, model.tensors.entries())) return std::nullopt;
  set_markers(model.saved.shape, markers_of(model.saved.text.codecs));
  return model;
}

}  // namespace

std::optional<SavedEngine> load_engine(const fs::path& folder, std::optional<Precision> precision) {
  auto model = stored_model(folder);
  if (!model) return std::nullopt;
  const PackedWeights* packed = model->tensors.packed();
  if (packed != nullptr && precision && *precision != packed->precision())
    throw_error(ErrorKind::kUsage,
                "precision {}: {} is packed in {}; leave the precision out, or pack the model in "
                "another one",
                precision_word(*precision), folder.string(), precision_word(packed->precision()));
  SavedEngine& saved = model->saved;
  const Packer packer(model->tensors, precision.value_or(Precision::kFloat), kernels());
  saved.engine = build_engine(saved.shape, packer, kernels());
  return std::move(saved);
}

std::optional<std::vector<NamedMatrix>> engine_matrices(const fs::path& folder) {
  const auto model = stored_model(folder);
  if (!model) return std::nullopt;
  const Packer packer(model->tensors, Precision::kFloat, kernels());
  build_engine(model->saved.shape, packer, kernels());
  return packer.matrices();
}

}  // namespace heed
