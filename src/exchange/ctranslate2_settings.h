// Settings of the tokens of a model of CTranslate2, from config.json; before version 6 of the format
// they are variables of model.bin.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "exchange/ctranslate2_weights.h"

namespace heed {

struct CTranslate2Settings {
  std::string unknown = "<unk>", end = "</s>";
  // The token that a target begins with; nullopt: each line names one.
  std::optional<std::string> begin = "<s>";
  bool begins_with_zero = false;  // the embedding of that token is zero, whichever it is
  bool source_end = false;        // whether CTranslate2 itself adds the end to a source
};

// Throws Error(kModel) that names all that is missing or that heed does not have.
CTranslate2Settings read_ctranslate2_settings(const std::filesystem::path& folder,
                                              CTranslate2Weights& weights);

}  // namespace heed
