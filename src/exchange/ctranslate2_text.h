// The tokenizers of a model of CTranslate2, and its vocabularies in the order of heed. The format has
// no tokenizers: they are files beside the model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "exchange/ctranslate2_folder.h"
#include "exchange/ctranslate2_settings.h"
#include "exchange/hf_languages.h"
#include "text/codecs.h"
#include "text/text_config.h"

namespace heed {

struct CTranslate2TextOptions {
  HfLanguages languages{};                 // codes or tokens; "" for none
  std::string source_spm{}, target_spm{};  // SentencePiece models; "": they are looked for
  bool tokenized = false;                  // lines are tokens between spaces
};

struct CTranslate2Text {
  TextConfigs config;
  Codecs codecs;
  int64_t source_tokens = 0, target_tokens = 0;  // of the vocabularies: rows of the embeddings
  // The row in the embeddings of the model for each id of heed. The number behind the last row
  // stands for a row of zeros.
  std::vector<int64_t> source_rows, target_rows;
  std::vector<int32_t> never;  // special tokens of heed that the model lacks
};

// Logs what it has taken and found. Throws Error(kModel) that names the file and the fault,
// Error(kUsage) for options that do not fit.
CTranslate2Text read_ctranslate2_text(const CTranslate2Folder& folder,
                                      const CTranslate2Settings& settings,
                                      const CTranslate2TextOptions& options);

}  // namespace heed
