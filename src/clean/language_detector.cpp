#include "clean/language_detector.h"

#include <cstdio>  // the header of CLD2 lacks it

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include <algorithm>
#include <array>

#include "base/language_code.h"

namespace heed {

std::vector<DetectedLanguage> detect_languages(const std::string& text) {
  constexpr size_t kLanguages = 3;
  const CLD2::CLDHints no_hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  std::array<CLD2::Language, kLanguages> languages{};
  std::array<int, kLanguages> percents{};
  std::array<double, kLanguages> scores{};
  int bytes = 0, valid_bytes = 0;
  bool is_reliable = false;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()),
                                          /*is_plain_text=*/true, &no_hints, /*flags=*/0,
                                          languages.data(), percents.data(), scores.data(), nullptr,
                                          &bytes, &is_reliable, &valid_bytes);
  std::vector<DetectedLanguage> found;
  if (!is_reliable) return found;
  for (size_t i = 0; i < kLanguages; ++i) {
    if (languages[i] != CLD2::UNKNOWN_LANGUAGE)
      found.push_back({language_code(CLD2::LanguageCode(languages[i])), percents[i] / 100.0});
  }
  return found;
}

bool are_close(const std::string& a, const std::string& b) {
  static const std::vector<std::vector<std::string>> kGroups{
      {"bs", "hr", "sr", "sh"}, {"no", "nb", "nn"}, {"id", "ms"}, {"tl", "fil"}};
  return a == b || std::ranges::any_of(kGroups, [&](const auto& group) {
           return std::ranges::count(group, a) > 0 && std::ranges::count(group, b) > 0;
         });
}

}  // namespace heed
