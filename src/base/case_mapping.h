// Full case mappings of Unicode by ICU, in the rules of a language: "i" becomes "İ" in Turkish.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Capital letters: "STRASSE" of "Straße". text: well-formed UTF-8. language: a code of ISO 639, "" for
// the rules that most languages share.
std::string upper_cased(std::string_view text, const std::string& language);
// The first letter of a word becomes a capital one, in Dutch "IJ" too; the others stay.
std::string title_cased(std::string_view word, const std::string& language);

}  // namespace heed
