// Codes and names of languages, as corpora use them in names.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heed {

// The code of ISO 639 of the language that a name such as "en", "deu_Latn" or "pt-BR" stands for: "en",
// "de", "pt". "": the name is that of no language that ICU knows.
std::string language_code(std::string_view name);

// The English name of the language with this code: of "de" "German".
std::string language_name(const std::string& code);
// The names of all languages in this one, in lower case: of "en" "german", of "de" "deutsch".
std::set<std::string> language_names(const std::string& language);
// The code of the language that calls itself so, in lower case: "deutsch" → "de"; "": there is none.
std::string language_of_own_name(const std::string& name);

}  // namespace heed
