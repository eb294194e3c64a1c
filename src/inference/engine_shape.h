// The models that have an engine in inference/, by their settings.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "inference/recurrent_shape.h"
#include "inference/transformer_shape.h"
#include "inference/weights.h"
#include "kernels/kernels.h"
#include "model/saved_model_config.h"
#include "search/engine.h"

namespace heed {

using EngineShape = std::variant<TransformerShape, RecurrentShape>;

// nullopt if no engine supports the model.
std::optional<EngineShape> engine_shape(const SavedModelConfig& config);

const VocabularyShape& vocabulary_of(const EngineShape& shape);
ParameterShapes::Map parameter_shapes(const EngineShape& shape, const VocabularySize& size);

// weights: named as in Seq2Seq::named_parameters().
std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Weights& weights,
                                           Precision precision, const Kernels& set = kernels());

}  // namespace heed
