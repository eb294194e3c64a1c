// The module for browsers detects no languages.
#if !defined(__EMSCRIPTEN__)
#include "text/language_detector.h"

#include <algorithm>
#include <array>
#include <cstdio>  // for the headers of CLD2
#include <span>

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <spdlog/fmt/fmt.h>

#include "base/language_code.h"
#include "base/utf8.h"

namespace heed {

namespace {

// hint: codes between commas; "": none.
std::vector<DetectedLanguage> detect(const std::string& text, const std::string& hint,
                                     int flags = CLD2::kCLDFlagBestEffort) {
  const CLD2::CLDHints hints{hint.empty() ? nullptr : hint.c_str(), nullptr, CLD2::UNKNOWN_ENCODING,
                             CLD2::UNKNOWN_LANGUAGE};
  constexpr size_t kMost = 3;
  std::array<CLD2::Language, kMost> languages{};
  std::array<int, kMost> percents{};
  std::array<double, kMost> scores{};
  int bytes = 0, valid = 0;
  bool is_reliable = false;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()),
                                          /*is_plain_text=*/true, &hints, flags, languages.data(),
                                          percents.data(), scores.data(), nullptr, &bytes,
                                          &is_reliable, &valid);
  std::vector<DetectedLanguage> found;
  for (size_t i = 0; i < kMost; ++i) {
    if (languages[i] == CLD2::UNKNOWN_LANGUAGE || percents[i] == 0) continue;
    const std::string code = language_code(CLD2::LanguageCode(languages[i]));
    if (!code.empty()) found.push_back({code, percents[i] / 100.0, is_reliable});
  }
  return found;
}

}  // namespace

// A hint decides for short words alone, such as "Hello", so a language that needs none comes first.
std::vector<DetectedLanguage> detect_languages(std::string_view text,
                                               const std::vector<std::string>& likely) {
  const std::string whole = replace_malformed(text);
  std::vector<DetectedLanguage> found = detect(whole, "");
  const auto is_likely = [&](const std::string& code) {
    return std::ranges::find(likely, code) != likely.end();
  };
  if (likely.empty() || (!found.empty() && is_likely(found.front().language))) return found;
  constexpr size_t kHints = 4;  // CLD2 uses no more at once
  for (size_t begin = 0; begin < likely.size(); begin += kHints) {
    const auto some = std::span(likely).subspan(begin, std::min(kHints, likely.size() - begin));
    std::vector<DetectedLanguage> hinted = detect(whole, fmt::format("{}", fmt::join(some, ",")));
    if (hinted.empty() || !is_likely(hinted.front().language)) continue;
    if (hinted.front().is_sure) return hinted;
    if (found.empty() || !found.front().is_sure) found = std::move(hinted);
  }
  return found;
}

std::vector<DetectedLanguage> sure_languages(std::string_view text) {
  std::vector<DetectedLanguage> found = detect(replace_malformed(text), "", /*flags=*/0);
  if (!found.empty() && !found.front().is_sure) found.clear();
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
#endif
