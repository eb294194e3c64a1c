// The models that have an engine in inference/, by their settings, and engines of saved models.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "inference/convolution_shape.h"
#include "inference/last_state_shape.h"
#include "inference/packer.h"
#include "inference/recurrent_shape.h"
#include "inference/transformer_shape.h"
#include "inference/weights.h"
#include "kernels/kernels.h"
#include "model/saved_model_config.h"
#include "search/engine.h"

namespace heed {

using EngineShape =
    std::variant<TransformerShape, RecurrentShape, ConvolutionShape, LastStateShape>;

// nullopt if no engine supports the model.
std::optional<EngineShape> engine_shape(const SavedModelConfig& config);

// Sets the markers between sentences, by source, which the vocabularies have.
void set_markers(EngineShape& shape, const std::map<std::string, int32_t>& markers);
std::map<std::string, int32_t> markers_of(const Codecs& codecs);

const VocabularyShape& vocabulary_of(const EngineShape& shape);
ParameterShapes::Map parameter_shapes(const EngineShape& shape, const VocabularySize& size);

std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Packer& packer,
                                           const Kernels& set);
// weights: named as in Seq2Seq::named_parameters().
std::unique_ptr<const Engine> build_engine(const EngineShape& shape, const Weights& weights,
                                           Precision precision, const Kernels& set = kernels());

struct SavedEngine {
  ModelText text;
  EngineShape shape;
  std::shared_ptr<const Engine> engine;
};

// Loads a model folder. nullopt if no engine supports the model or the tensors are not those of the config; the loader of
// libtorch (model/saved_model.h) then reads it or reports the fault. Throws Error(kModel) if a file
// differs from the manifest, or the config cannot be read.
// precision: none: that of a packed model, else float32. Throws Error(kUsage) for another one than
// that of a packed model.
std::optional<SavedEngine> load_engine(const std::filesystem::path& folder,
                                       std::optional<Precision> precision);
// The matrices that the engine of a model folder packs, in the order in which it joins them. nullopt
// as load_engine().
std::optional<std::vector<NamedMatrix>> engine_matrices(const std::filesystem::path& folder);

}  // namespace heed
