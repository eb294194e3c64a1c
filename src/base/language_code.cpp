#include "base/language_code.h"

#include <unicode/locid.h>

#include <algorithm>

namespace heed {

std::string language_code(std::string_view name) {
  std::string tag(name);
  std::ranges::replace(tag, '_', '-');
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  const bool is_known = U_SUCCESS(status) && *locale.getISO3Language() != '\0';
  return is_known ? locale.getLanguage() : "";
}

}  // namespace heed
