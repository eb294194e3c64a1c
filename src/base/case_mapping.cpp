#include "base/case_mapping.h"

#include <unicode/locid.h>
#include <unicode/ucasemap.h>
#include <unicode/unistr.h>

namespace heed {

namespace {

icu::UnicodeString unicode(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
}

std::string utf8(const icu::UnicodeString& text) {
  std::string result;
  text.toUTF8String(result);
  return result;
}

}  // namespace

std::string upper_cased(std::string_view text, const std::string& language) {
  return utf8(unicode(text).toUpper(icu::Locale(language.c_str())));
}

std::string title_cased(std::string_view word, const std::string& language) {
  constexpr uint32_t kOptions = U_TITLECASE_WHOLE_STRING | U_TITLECASE_NO_LOWERCASE;
  return utf8(unicode(word).toTitle(nullptr, icu::Locale(language.c_str()), kOptions));
}

}  // namespace heed
