// Tokens of a model of CTranslate2 that say a language: the source begins with one, and the target
// with one that is forced (M2M-100, NLLB, mBART-50), or that takes the place of the token that
// begins every target.
#pragma once

#include <map>
#include <string>

#include "exchange/ctranslate2_settings.h"
#include "exchange/ctranslate2_vocabulary.h"
#include "exchange/hf_languages.h"

namespace heed {

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

}  // namespace heed
