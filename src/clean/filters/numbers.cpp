#include <unicode/uchar.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "clean/filters/filters.h"

namespace heed {

namespace {

using Numbers = std::multiset<std::string>;

std::optional<char> digit_of(char32_t c) {
  const int32_t value = u_charDigitValue(static_cast<UChar32>(c));
  return value < 0 ? std::nullopt : std::optional(static_cast<char>('0' + value));
}

// Marks between the digits of a number, which languages set in different ways: 1,000.5 and 1.000,5.
bool is_separator(char32_t c) {
  constexpr std::u32string_view kSeparators = U".,:'’٫٬\u00A0\u202F\u2009";
  return kSeparators.find(c) != std::u32string_view::npos;
}

// True at a space that separates thousands: three digits follow, and no fourth.
bool separates_thousands(const std::u32string& text, size_t space) {
  constexpr size_t kGroup = 3;
  if (text[space] != U' ' || space + kGroup >= text.size()) return false;
  for (size_t i = 1; i <= kGroup; ++i) {
    if (!digit_of(text[space + i])) return false;
  }
  return space + kGroup + 1 == text.size() || !digit_of(text[space + kGroup + 1]);
}

std::string without_leading_zeros(const std::string& digits) {
  const size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

// The digits of the numbers of a line.
Numbers numbers_of(const std::u32string& text, bool joins_at_spaces) {
  Numbers numbers;
  std::string digits;
  for (size_t i = 0; i <= text.size(); ++i) {
    const auto digit = i < text.size() ? digit_of(text[i]) : std::nullopt;
    if (digit) {
      digits += *digit;
      continue;
    }
    const bool continues =
        !digits.empty() && i + 1 < text.size() && digit_of(text[i + 1]) &&
        (is_separator(text[i]) || (joins_at_spaces && separates_thousands(text, i)));
    if (continues || digits.empty()) continue;
    numbers.insert(without_leading_zeros(digits));
    digits.clear();
  }
  return numbers;
}

std::vector<std::string> missing_in(const Numbers& other, const Numbers& numbers) {
  std::vector<std::string> missing;
  std::ranges::set_difference(numbers, other, std::back_inserter(missing));
  std::erase_if(missing, [&](const std::string& number) { return other.count(number) > 0; });
  return missing;
}

// True for 1990 and 90, 12.00 and 12, 11.30 and 23.30: years and times that are written in two ways.
bool are_alike(const std::string& a, const std::string& b) {
  constexpr size_t kMostDigits = 9, kYear = 4, kDecade = 2;
  if (a.size() < b.size()) return are_alike(b, a);
  if (a == b + "00" || (a.size() == kYear && b.size() == kDecade && a.ends_with(b))) return true;
  if (a.size() > kMostDigits) return false;
  const int64_t difference = std::abs(std::stoll(a) - std::stoll(b));
  return difference == 12 || difference == 1200;
}

void remove_alike(std::vector<std::string>& source, std::vector<std::string>& target) {
  std::erase_if(source, [&](const std::string& number) {
    const auto found = std::ranges::find_if(
        target, [&](const std::string& other) { return are_alike(number, other); });
    if (found == target.end()) return false;
    target.erase(found);
    return true;
  });
}

// A number that is often written in words: 12, 200, 3000.
bool may_be_in_words(const std::string& number) {
  constexpr size_t kDigits = 2;
  const size_t last = number.find_last_not_of('0');
  return last == std::string::npos || last < kDigits;
}

std::string all_digits(const Numbers& numbers) {
  std::string all;
  for (const std::string& number : numbers) all += number;
  std::ranges::sort(all);
  return all;
}

class NumbersFilter final : public PairFilter {
 public:
  std::string reason(const CorpusPair& pair) const override {
    const std::string reason = mismatch(pair, /*joins_at_spaces=*/true);
    return reason.empty() ? "" : mismatch(pair, /*joins_at_spaces=*/false);
  }

 private:
  static std::string mismatch(const CorpusPair& pair, bool joins_at_spaces) {
    const Numbers source = numbers_of(pair.sides[0].characters, joins_at_spaces),
                  target = numbers_of(pair.sides[1].characters, joins_at_spaces);
    auto only_source = missing_in(target, source), only_target = missing_in(source, target);
    remove_alike(only_source, only_target);
    if (only_source.empty() || only_target.empty()) {
      std::erase_if(only_source, may_be_in_words);
      std::erase_if(only_target, may_be_in_words);
    } else if (source.size() != target.size() && all_digits(source) == all_digits(target)) {
      return "";  // 12/5/2010 and 12.5.2010
    }
    return difference("numbers", fmt::format("{}", fmt::join(only_source, ", ")),
                      fmt::format("{}", fmt::join(only_target, ", ")));
  }
};

}  // namespace

PairFilterPtr make_numbers_filter() { return std::make_shared<NumbersFilter>(); }

}  // namespace heed
