#include "base/language_code.h"

#include <unicode/locid.h>

#include <algorithm>

namespace heed {

bool is_language_code(const std::string& text) {
  constexpr size_t kShortest = 2, kLongest = 12;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  };
  if (text.size() < kShortest || text.size() > kLongest || !std::ranges::all_of(text, fits))
    return false;
  return *icu::Locale(text.c_str()).getISO3Language() != '\0';
}

}  // namespace heed
