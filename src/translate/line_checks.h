// Signs that a source line is not what the model was trained to read.
#pragma once

#include <cstdint>

#include "base/line_warnings.h"
#include "translate/text_model.h"

namespace heed {

// Warns of text with more tokens than a learned table has positions. side: "source", "translation" or
// "target"; line: its number.
void check_positions(const char* side, int64_t tokens, const std::optional<int64_t>& positions,
                     int64_t line, LineWarnings& warnings);

// Warns of a tab where the source has no columns, of unknown words, and of words of the target
// language. number: of the line.
void check_line(const TextModel& model, const SourceLine& line, const EncodedLine& encoded,
                int64_t number, LineWarnings& warnings);

}  // namespace heed
