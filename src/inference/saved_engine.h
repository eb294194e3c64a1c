// Loads a model folder for an engine that needs no libtorch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "inference/engine_shape.h"
#include "model/saved_model_config.h"

namespace heed {

struct SavedEngine {
  ModelText text;
  EngineShape shape;
  std::shared_ptr<const Engine> engine;
};

// nullopt if no engine supports the model or the tensors are not those of the config; the loader of
// libtorch (model/saved_model.h) then reads it or reports the fault. Throws Error(kModel) if a file
// differs from the manifest, or the config cannot be read.
std::optional<SavedEngine> load_engine(const std::filesystem::path& folder, Precision precision);

}  // namespace heed
