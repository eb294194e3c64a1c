#include "clean/filters/text_matches.h"

#include <unicode/regex.h>

#include <algorithm>

#include "base/error.h"

namespace heed {

struct TextPattern::Impl {
  std::unique_ptr<icu::RegexPattern> pattern;
};

TextPattern::TextPattern(const char* pattern) : impl_(std::make_unique<Impl>()) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  impl_->pattern.reset(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(pattern), error, status));
  HEED_CHECK(U_SUCCESS(status), "{} at {}", u_errorName(status), error.offset);
}

TextPattern::~TextPattern() = default;

std::vector<std::string> TextPattern::matches(const std::string& text) const {
  UErrorCode status = U_ZERO_ERROR;
  const auto whole = icu::UnicodeString::fromUTF8(text);
  const std::unique_ptr<icu::RegexMatcher> matcher(impl_->pattern->matcher(whole, status));
  std::vector<std::string> found;
  while (U_SUCCESS(status) && matcher->find(status))
    matcher->group(status).toUTF8String(found.emplace_back());
  HEED_CHECK(U_SUCCESS(status), "{}", u_errorName(status));
  return found;
}

std::string missing_items(const std::vector<std::string>& in,
                          const std::vector<std::string>& items) {
  std::vector<std::string> others = in, all = items, missing;
  std::ranges::sort(others);
  std::ranges::sort(all);
  std::ranges::set_difference(all, others, std::back_inserter(missing));
  return fmt::format("{}", fmt::join(missing, ", "));
}

}  // namespace heed
