// Files of a model of Marian: its parameters, its vocabularies, and the settings of marian-decoder.
#pragma once

#include <filesystem>
#include <string>

#include "exchange/toolkit_model.h"

namespace heed {

// Each is searched for where it is empty.
struct MarianTextOptions {
  std::filesystem::path source_vocabulary{}, target_vocabulary{};
  std::filesystem::path source_spm{}, target_spm{};  // beside vocabularies of tokens (vocab.yml)
};

struct MarianFiles {
  std::filesystem::path model, source_vocabulary, target_vocabulary;
  YamlFile decoder{};  // MODEL.decoder.yml or decoder.yml
};
// path: a model, or its folder. Refuses the model where one of them is missing, or several fit.
MarianFiles find_marian_files(const std::filesystem::path& path, const MarianTextOptions& options);

// Tokens of the rows of an embedding, and behind them <pad> and <s>, which Marian does not have.
// folder: where SentencePiece models are searched for.
ToolkitSide read_marian_side(const std::filesystem::path& vocabulary,
                             const std::filesystem::path& spm, const std::string& name,
                             int64_t rows);

}  // namespace heed
