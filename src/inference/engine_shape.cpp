#include "inference/engine_shape.h"

#include <algorithm>

#include "base/file.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "inference/convolution_engine.h"
#include "inference/recurrent_engine.h"
#include "inference/transformer_engine.h"
#include "packed/stored_tensors.h"

namespace heed {

namespace {

std::vector<FactorShape> factor_shapes(const EmbeddingConfig& embedding) {
  std::vector<FactorShape> factors;
  for (const auto& [name, factor] : embedding.source_factors)
    factors.push_back({.name = name,
                       .width = factor.width.value_or(embedding.width),
                       .is_added = factor.combine == Combine::kSum});
  return factors;
}

VocabularyShape vocabulary_shape(const SavedModelConfig& config, const OutputShape& output) {
  const EmbeddingConfig& embedding = config.model.embedding;
  const bool has_tags = !config.tags.empty(), both = embedding.tag == TagPlace::kBoth;
  return {.source = config.sources.front(),
          .embedding = embedding.width,
          .source_is_tied = embedding.ties_source(),
          .output_is_tied = embedding.ties_output(),
          .source_end = config.model.source_end,
          .source_tag = has_tags && (both || embedding.tag == TagPlace::kSource),
          .target_tag = has_tags && (both || embedding.tag == TagPlace::kTarget),
          .factors = factor_shapes(embedding),
          .output = output};
}

bool fits(const SavedEngine& model, const TensorEntries& entries) {
  const VocabularyShape& vocabulary = vocabulary_of(model.shape);
  const VocabularySizes sizes = vocabulary_sizes(model.text.config, model.text.codecs);
  const VocabularySize size{.source = sizes.sources.at(vocabulary.source),
                            .target = sizes.target,
                            .tags = sizes.tags,
                            .factors = sizes.factors};
  if (vocabulary.source_is_tied && size.source != size.target) return false;
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
  if (config.sources.size() != 1 || !model.encoders.empty() || model.join) return std::nullopt;
  const auto output = output_shape(model);
  if (!output) return std::nullopt;
  const VocabularyShape vocabulary = vocabulary_shape(config, *output);
  if (const auto shape = transformer_shape(model, vocabulary)) return *shape;
  if (const auto shape = recurrent_shape(model, vocabulary)) return *shape;
  if (const auto shape = convolution_shape(model, vocabulary)) return *shape;
  return std::nullopt;
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
