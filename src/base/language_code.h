// Codes of languages, as corpora use them in names.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// The code of ISO 639 of the language that a name such as "en", "deu_Latn" or "pt-BR" stands for: "en",
// "de", "pt". "": the name is that of no language that ICU knows.
std::string language_code(std::string_view name);

}  // namespace heed
