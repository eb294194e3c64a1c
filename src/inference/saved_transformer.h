// A model folder that TransformerEngine computes, read without libtorch.
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

// None where the model is another, has other types or was written by an earlier version: then libtorch
// reads it, and says what is wrong with a damaged one. Throws Error(kModel) if a file is not that of the
// manifest.
std::optional<SavedTransformer> load_transformer(const std::filesystem::path& folder,
                                                 Precision precision);

}  // namespace heed
