#include "inference/engine_shape.h"

#include "inference/recurrent_engine.h"
#include "inference/transformer_engine.h"
#include "model/outputs/vocabulary_config.h"

namespace heed {

namespace {

VocabularyShape vocabulary_shape(const ModelConfig& model, const VocabularyOutputConfig& output,
                                 const std::string& source) {
  return {.source = source,
          .embedding = model.embedding.width,
          .source_is_tied = model.embedding.ties_source(),
          .output_is_tied = model.embedding.ties_output(),
          .output_bias = output.bias,
          .source_end = model.source_end};
}

}  // namespace

std::optional<EngineShape> engine_shape(const SavedModelConfig& config) {
  const ModelConfig& model = config.model;
  const auto* output = dynamic_cast<const VocabularyOutputConfig*>(model.output.get());
  if (output == nullptr || config.sources.size() != 1 || !config.tags.empty() ||
      !model.encoders.empty() || model.join || !model.embedding.source_factors.empty())
    return std::nullopt;
  const VocabularyShape vocabulary = vocabulary_shape(model, *output, config.sources.front());
  if (const auto shape = transformer_shape(model, vocabulary)) return *shape;
  if (const auto shape = recurrent_shape(model, vocabulary)) return *shape;
  return std::nullopt;
}

const VocabularyShape& vocabulary_of(const EngineShape& shape) {
  return std::visit([](const auto& own) -> const VocabularyShape& { return own.vocabulary; },
                    shape);
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
