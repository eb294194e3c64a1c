// Models of transformers (Hugging Face) as models of heed.
#pragma once

#include <filesystem>

#include "model/saved_model.h"

namespace heed {

// From a folder with config.json, model.safetensors and the files of MarianTokenizer:
// source.spm, target.spm, vocab.json and, with separate vocabularies, target_vocab.json. Its ids
// become those of heed (token_rows.h); all else of the architecture becomes keys of the config.
// Throws Error(kModel) that says what is missing, damaged, or of another architecture.
LoadedModel import_hf(const std::filesystem::path& folder);

}  // namespace heed
