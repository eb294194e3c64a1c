// The config.yaml of a model folder, where the model has an engine in inference/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "data/source_facts.h"
#include "inference/recurrent_shape.h"
#include "inference/transformer_shape.h"
#include "inference/weights.h"
#include "kernels/kernels.h"
#include "search/engine.h"
#include "search/search_config.h"
#include "text/text_config.h"

namespace heed {

using EngineShape = std::variant<TransformerShape, RecurrentShape>;

ParameterShapes::Map parameter_shapes(const EngineShape& shape, const VocabularySize& size);

struct EngineConfig {
  EngineShape shape;
  std::string source;  // its name
  TextConfigs text;
  SearchConfig search;
  std::optional<int64_t> max_length;
  std::string target_words, source_language, target_language;
  std::optional<SourceFacts> source_lines;
};

// Parses the text of a config.yaml; nullopt if no engine supports the model.
std::optional<EngineConfig> read_engine_config(const std::string& config);

// weights: named as in Seq2Seq::named_parameters().
std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Weights& weights,
                                           Precision precision, const Kernels& set = kernels());

}  // namespace heed
