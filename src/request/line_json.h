// The answer to a request about one line.
#pragma once

#include <cstdint>

#include "request/json.h"
#include "translate/line_translation.h"

namespace heed {

// translation_json(), and "source_tokens" and "attention" if they are requested. number: of the line,
// from 1.
Json line_json(int64_t number, const TranslatedLine& translation, const LineOptions& how);

}  // namespace heed
