#include "base/language_code.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "base/utf8.h"

namespace heed {

namespace {

std::string name_in(const icu::Locale& in, const char* code) {
  icu::UnicodeString name;
  std::string text;
  icu::Locale(code).getDisplayLanguage(in, name).toUTF8String(text);
  return lower_case(text);
}

}  // namespace

std::string language_code(std::string_view name) {
  // Endings of prepared text, which are codes of languages too for ICU 76.
  if (name == "tok" || name == "bpe") return {};
  std::string tag(name);
  std::ranges::replace(tag, '_', '-');
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  const bool is_known = U_SUCCESS(status) && *locale.getISO3Language() != '\0';
  return is_known ? locale.getLanguage() : "";
}

std::set<std::string> language_names(const std::string& language) {
  std::set<std::string> names;
  const icu::Locale in(language.c_str());
  for (const char* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code)
    names.insert(name_in(in, *code));
  return names;
}

std::string language_of_own_name(const std::string& name) {
  for (const char* const* code = icu::Locale::getISOLanguages(); *code != nullptr; ++code)
    if (name_in(icu::Locale(*code), *code) == name) return *code;
  return "";
}

}  // namespace heed
