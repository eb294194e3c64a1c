// Models of CTranslate2 as models of heed.
#pragma once

#include <filesystem>
#include <optional>

#include "exchange/ctranslate2_text.h"
#include "model/saved_model.h"

namespace heed {

struct CTranslate2ImportOptions {
  CTranslate2TextOptions text;
  std::optional<bool> source_end{};  // whether sources end in </s>; nullopt: found by the model
};

// Reads a folder with model.bin, config.json and vocabularies, or a package of Argos Translate
// (ctranslate2_folder.h), in any precision. Throws Error(kModel) that says what is missing, damaged,
// or of another architecture, Error(kUsage) for options that do not fit the model.
LoadedModel import_ctranslate2(const std::filesystem::path& folder,
                               const CTranslate2ImportOptions& options = {});

}  // namespace heed
