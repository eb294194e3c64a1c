// Vocabularies of a model of CTranslate2: its files, its tokens of languages, and heed's order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "exchange/ctranslate2_settings.h"
#include "exchange/hf_languages.h"
#include "exchange/token_rows.h"

namespace heed {

struct CTranslate2Side {
  std::vector<std::string> tokens;  // by id
  std::filesystem::path file;
};
struct CTranslate2Vocabularies {
  CTranslate2Side source, target;
  bool is_shared = false;
};

// shared_vocabulary.json or .txt, else those of source and target. unknown: the token that is
// appended where a vocabulary lacks it, as CTranslate2 does. Throws Error(kModel) that names the
// file and the fault.
CTranslate2Vocabularies read_ctranslate2_vocabularies(const std::filesystem::path& folder,
                                                      const std::string& unknown);

// Tokens that say a language: the source begins with one, and the target with one that is forced
// (M2M-100, NLLB, mBART-50), or that takes the place of the token that begins every target.
struct CTranslate2Languages {
  std::string source, target;                  // codes of what lines begin with; "" for nothing
  std::string begin;                           // token that begins each target
  std::map<std::string, std::string> renamed;  // tokens, and what heed calls them: >>code<<
};

// chosen: codes (de, deu_Latn) or tokens; "" for none. Throws Error(kUsage) that lists what could be
// chosen, where the model wants a language or does not have the one that is chosen.
CTranslate2Languages find_ctranslate2_languages(const CTranslate2Settings& settings,
                                                const CTranslate2Vocabularies& vocabularies,
                                                const HfLanguages& chosen);

// The vocabularies in the order of heed's.
struct CTranslate2Rows {
  TokenRows source, target;  // a row behind the last of the embeddings stands for zeros
  // Special tokens of heed that the model lacks. They are never generated.
  std::vector<int32_t> never;
};

// Throws Error(kModel) where the target lacks the token that ends it or begins it.
CTranslate2Rows order_ctranslate2_rows(const CTranslate2Vocabularies& vocabularies,
                                       const CTranslate2Settings& settings,
                                       const CTranslate2Languages& languages);

}  // namespace heed
