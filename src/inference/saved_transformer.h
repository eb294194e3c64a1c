// Loads a model folder for TransformerEngine, without libtorch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "inference/transformer_engine.h"
#include "text/codecs.h"

namespace heed {

struct SavedTransformer {
  TransformerConfig config;
  Codecs codecs;  // by name of the source, and "target"
  std::shared_ptr<const Engine> engine;
};

// nullopt if TransformerEngine does not support the model or the tensors are not those of the
// config; the loader of libtorch (model/saved_model.h) then reads it or reports the fault. Throws
// Error(kModel) if a file differs from the manifest.
std::optional<SavedTransformer> load_transformer(const std::filesystem::path& folder,
                                                 Precision precision);

}  // namespace heed
