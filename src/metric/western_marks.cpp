#include "metric/western_marks.h"

#include <utility>

#include "base/replace_all.h"

namespace heed {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_period_or_comma(char c) { return c == '.' || c == ','; }

constexpr std::string_view kAlone = " !\"#$%&()*+/:;<=>?@[\\]^_`{|}~";

// The next passes replace pairs of neighbours from left to right, and a pair that was replaced is
// not looked at again: `first` and `second` say which pairs. A multi-byte character is none of the
// ASCII bytes they ask for, and its inner bytes pair with nothing, so bytes do for characters.
template <class First, class Second, class Write>
std::string replace_pairs(std::string_view line, First first, Second second, Write write) {
  std::string result;
  result.reserve(line.size() + line.size() / 4);
  for (size_t i = 0; i < line.size(); ++i) {
    if (i + 1 < line.size() && first(line[i]) && second(line[i + 1])) {
      write(result, line[i], line[i + 1]);
      ++i;
    } else {
      result.push_back(line[i]);
    }
  }
  return result;
}

}  // namespace

std::string unescape_entities(std::string text) {
  if (text.find('&') == std::string::npos) return text;
  text = replace_all(std::move(text), "&quot;", "\"");
  text = replace_all(std::move(text), "&amp;", "&");
  text = replace_all(std::move(text), "&lt;", "<");
  return replace_all(std::move(text), "&gt;", ">");
}

std::string separate_marks(std::string_view text) {
  std::string result;
  result.reserve(text.size() * 2);
  for (const char c : text) {
    if (kAlone.find(c) != std::string_view::npos) {
      result.append({' ', c, ' '});
    } else {
      result.push_back(c);
    }
  }
  return result;
}

std::string separate_number_marks(std::string_view text) {
  const auto not_digit = [](char c) { return !is_digit(c); };
  const auto is_hyphen = [](char c) { return c == '-'; };
  const auto space_second = [](std::string& out, char a, char b) { out.append({a, ' ', b, ' '}); };
  const auto space_first = [](std::string& out, char a, char b) { out.append({' ', a, ' ', b}); };
  std::string result = replace_pairs(text, not_digit, is_period_or_comma, space_second);
  result = replace_pairs(result, is_period_or_comma, not_digit, space_first);
  return replace_pairs(result, is_digit, is_hyphen, space_second);
}

}  // namespace heed
