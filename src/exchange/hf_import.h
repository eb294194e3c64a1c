// Imports models of transformers (Hugging Face).
#pragma once

#include <filesystem>

#include "exchange/hf_languages.h"
#include "model/saved_model.h"

namespace heed {

// Reads a folder with config.json, the parameters (weights_file.h) and the files of the tokenizer
// (hf_text.h). Ids are converted to those of heed (token_rows.h); the rest of the architecture is
// converted to keys of the config. Throws Error(kModel) that names the part that is missing,
// damaged or of another architecture, and Error(kUsage) for languages that the model does not have.
LoadedModel import_hf(const std::filesystem::path& folder, const HfLanguages& languages = {});

}  // namespace heed
