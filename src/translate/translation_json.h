// The translations of a line as a JSON object: {"line": 1, "translations": [{"text": …}, …]}.
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "translate/translated.h"

namespace heed {

// number: of the line, from 1.
nlohmann::ordered_json translation_json(int64_t number, const Translation& translation,
                                        bool with_alignments);

}  // namespace heed
