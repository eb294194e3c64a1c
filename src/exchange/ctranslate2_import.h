// Imports models of CTranslate2.
#pragma once

#include <filesystem>
#include <optional>

#include "exchange/ctranslate2_text.h"
#include "model/saved_model.h"

namespace heed {

struct CTranslate2ImportOptions {
  CTranslate2TextOptions text;
  std::optional<bool> source_end{};  // true: sources end in </s>; nullopt: detected from the model
};

// Reads a folder with model.bin, config.json and vocabularies, or a package of Argos Translate
// (ctranslate2_folder.h), in any precision. Throws Error(kModel) that names the part that is
// missing, damaged or of another architecture, and Error(kUsage) for options that do not fit the
// model.
LoadedModel import_ctranslate2(const std::filesystem::path& folder,
                               const CTranslate2ImportOptions& options = {});

}  // namespace heed
