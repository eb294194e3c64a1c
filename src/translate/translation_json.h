// The translations of a line as a JSON object: {"line": 1, "warnings": [], "translations":
// [{"text": …}, …]}.
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "translate/translated.h"

namespace heed {

// [{"kind": "cut", "message": …}, …]
nlohmann::ordered_json warnings_json(const WarningList& warnings);

// number: of the line, from 1.
nlohmann::ordered_json translation_json(int64_t number, const TranslatedLine& translation,
                                        bool with_alignments);

// The same with only the texts, scores and log-probabilities.
nlohmann::ordered_json texts_json(int64_t number, const TranslatedLine& translation);

}  // namespace heed
