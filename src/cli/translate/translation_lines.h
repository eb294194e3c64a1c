// Translations as they are written: n-best lists and JSON.
#pragma once

#include <string>

#include "translate/batch_translator.h"

namespace heed {

// In the format of Moses, a line each: NUMBER ||| TEXT ||| SCORE; number: from 0; the text as
// translate/nbest_text.h has it.
std::string nbest_lines(int64_t number, const TranslatedLine& translation);
// An object; number: from 1.
std::string json_line(int64_t number, const TranslatedLine& translation, bool with_alignments);

}  // namespace heed
