// Models of transformers (Hugging Face) as models of heed.
#pragma once

#include <filesystem>

#include "exchange/hf_languages.h"
#include "model/saved_model.h"

namespace heed {

// From a folder with config.json, the parameters (weights_file.h) and the files of its tokenizer
// (hf_text.h). Its ids become those of heed (token_rows.h); all else of the architecture becomes
// keys of the config. Throws Error(kModel) that says what is missing, damaged, or of another
// architecture, Error(kUsage) for languages that the model does not have.
LoadedModel import_hf(const std::filesystem::path& folder, const HfLanguages& languages = {});

}  // namespace heed
