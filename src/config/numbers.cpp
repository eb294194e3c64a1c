#include "config/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/floating_point.h"

namespace heed {

namespace {

size_t skip_digits(std::string_view text, size_t from) {
  const size_t end = text.find_first_not_of("0123456789", from);
  return end == std::string_view::npos ? text.size() : end;
}

// -? ( 0 | [1-9] [0-9]* ), from the beginning; 0: there is none.
size_t integer_length(std::string_view text) {
  const size_t start = text.starts_with('-') ? 1 : 0;
  const size_t end = skip_digits(text, start);
  const bool leading_zero = end > start + 1 && text[start] == '0';
  return end == start || leading_zero ? 0 : end;
}

// Without what people write that a config does not: 1_000, +5, 010, .5, 5.
std::string cleaned(std::string_view text) {
  std::string digits;
  for (char c : text) {
    if (c != '_') digits += c;
  }
  if (digits.starts_with('+')) digits.erase(0, 1);
  const size_t start = digits.starts_with('-') ? 1 : 0;
  while (digits.size() > start + 1 && digits[start] == '0' && digits[start + 1] >= '0' &&
         digits[start + 1] <= '9') {
    digits.erase(start, 1);
  }
  if (digits.substr(start).starts_with('.')) digits.insert(start, 1, '0');
  if (digits.ends_with('.')) digits += '0';
  return digits;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

bool is_not_finite(std::string_view text) {
  std::string word = lowered(text);
  while (!word.empty() && (word[0] == '+' || word[0] == '-' || word[0] == '.')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

std::string common_hint(std::string_view text, bool known) {
  if (known) return "; it is too large";
  return is_not_finite(text) ? "; it must be finite" : "";
}

}  // namespace

bool is_integer(std::string_view text) {
  return !text.empty() && integer_length(text) == text.size();
}

bool is_number(std::string_view text) {
  size_t end = integer_length(text);
  if (end == 0) return false;
  if (end < text.size() && text[end] == '.') {
    const size_t start = end + 1;
    end = skip_digits(text, start);
    if (end == start) return false;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool is_signed = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    const size_t start = end + 1 + is_signed;
    end = skip_digits(text, start);
    if (end == start) return false;
  }
  return end == text.size();
}

std::optional<int64_t> to_integer(std::string_view text) {
  int64_t value = 0;
  if (!is_integer(text)) return std::nullopt;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  if (!is_number(text)) return std::nullopt;
  const auto result = floating_point_from(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string integer_hint(std::string_view text, const IntRange& range) {
  const std::string cleaned_text = cleaned(text);
  constexpr double kExact = 9007199254740992.0;  // 2^53
  std::optional<int64_t> meant;
  if (cleaned_text != text) meant = to_integer(cleaned_text);
  const std::optional<double> number = to_number(cleaned_text);
  if (!is_integer(text) && number && std::trunc(*number) == *number && std::fabs(*number) < kExact)
    meant = static_cast<int64_t>(*number);
  if (meant) return contains(range, *meant) ? fmt::format("; write {}", *meant) : "";
  return common_hint(text, is_integer(text));
}

std::string number_hint(std::string_view text) {
  std::string pointed(text);
  std::ranges::replace(pointed, ',', '.');
  const std::string meant = cleaned(pointed);
  if (meant != text && is_number(meant)) return "; write " + meant;
  return common_hint(text, is_number(text));
}

}  // namespace heed
