#include "base/language_code.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "base/unicode/unicode.h"
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
  return language_of_tag(tag);
}

std::string language_name(const std::string& code) {
  icu::UnicodeString name;
  std::string text;
  return icu::Locale(code.c_str())
      .getDisplayLanguage(icu::Locale::getEnglish(), name)
      .toUTF8String(text);
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
