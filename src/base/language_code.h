// Codes of languages, as corpora use them in names.
#pragma once

#include <string>

namespace heed {

// "en", "eng", "pt_BR": of a language that ICU knows.
bool is_language_code(const std::string& text);

}  // namespace heed
