// The vocabularies of a model of CTranslate2 in the order of heed's.
#pragma once

#include <cstdint>
#include <vector>

#include "exchange/ctranslate2_languages.h"
#include "exchange/ctranslate2_settings.h"
#include "exchange/ctranslate2_vocabulary.h"
#include "exchange/token_rows.h"

namespace heed {

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
