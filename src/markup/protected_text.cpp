#include "markup/protected_text.h"

#include <algorithm>

#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_one_of(char c, std::string_view all) { return all.find(c) != std::string_view::npos; }

constexpr size_t kLongest = 320;  // bytes of a placeholder or an e-mail address

// Each of these returns how many bytes at the beginning of the text are one; 0: none.

// `open`, what `takes`, and `close`.
template <class Takes>
size_t bracketed(std::string_view text, std::string_view open, std::string_view close,
                 Takes takes) {
  if (!text.starts_with(open)) return 0;
  const size_t end = text.substr(0, kLongest).find(close, open.size());
  if (end == std::string_view::npos || end == open.size()) return 0;
  const bool is_one = std::ranges::all_of(text.substr(open.size(), end - open.size()), takes);
  return is_one ? end + close.size() : 0;
}

// printf: %[N$][flags][width][.precision][length]conversion, or %(name)conversion of Python.
size_t conversion(std::string_view text) {
  constexpr std::string_view kConversions = "diouxXeEfFgGaAcsp@";
  if (!text.starts_with('%')) return 0;
  size_t at = 1;
  const auto skip = [&](auto is_part) {
    while (at < text.size() && is_part(text[at])) ++at;
  };
  if (const size_t name = bracketed(text.substr(1), "(", ")", [](char c) { return c != ' '; })) {
    at += name;
  } else {
    skip(is_digit);
    if (at > 1 && at < text.size() && text[at] == '$') ++at;
    if (at < text.size() && text[at] == ' ') return 0;  // "5 % of": a flag, but hardly ever meant
  }
  skip([](char c) { return is_one_of(c, "-+#0'"); });
  skip([](char c) { return is_digit(c) || c == '.' || c == '*'; });
  skip([](char c) { return is_one_of(c, "hlLqjzt"); });
  const bool is_one = at < text.size() && is_one_of(text[at], kConversions) &&
                      (at + 1 == text.size() || !is_alphanumeric(text[at + 1]));
  return is_one ? at + 1 : 0;
}

size_t placeholder(std::string_view text) {
  const auto is_inner = [](char c) { return !is_one_of(c, "{}<> \t"); };
  const auto is_inner_or_space = [](char c) { return !is_one_of(c, "{}<>\t"); };
  return std::max({bracketed(text, "{{", "}}", is_inner_or_space),
                   bracketed(text, "{", "}", is_inner), bracketed(text, "${", "}", is_inner),
                   bracketed(text, "⟦", "⟧", is_inner), conversion(text)});
}

size_t url(std::string_view text) {
  size_t begin = 0;
  while (begin < text.size() && is_alphanumeric(text[begin])) ++begin;
  const bool has_scheme = begin > 1 && !is_digit(text[0]) && text.substr(begin).starts_with("://");
  if (!has_scheme && !text.starts_with("www.")) return 0;
  begin = has_scheme ? begin + 3 : 4;
  size_t end = begin;
  while (end < text.size() && !is_one_of(text[end], " \t\n\"<>{}|\\^`")) ++end;
  // Punctuation behind it is of the sentence.
  const bool opens = text.substr(begin, end - begin).find('(') != std::string_view::npos;
  const std::string_view behind = opens ? ".,;:!?'\"]" : ".,;:!?'\")]";
  while (end > begin && is_one_of(text[end - 1], behind)) --end;
  return end > begin ? end : 0;
}

size_t email(std::string_view all) {
  const std::string_view text = all.substr(0, kLongest);
  const auto run = [&](size_t at, std::string_view more) {
    while (at < text.size() && (is_alphanumeric(text[at]) || is_one_of(text[at], more))) ++at;
    return at;
  };
  const size_t sign = run(0, "._%+-");
  if (sign == 0 || sign >= text.size() || text[sign] != '@') return 0;
  size_t end = run(sign + 1, ".-");
  while (end > sign && is_one_of(text[end - 1], ".-")) --end;
  const std::string_view domain = text.substr(sign + 1, end > sign + 1 ? end - sign - 1 : 0);
  return domain.find('.') == std::string_view::npos ? 0 : end;
}

size_t number(std::string_view text) {
  if (text.empty() || !is_digit(text[0])) return 0;
  size_t end = 1;
  while (end < text.size()) {
    const bool joins =
        end + 1 < text.size() && is_one_of(text[end], ".,:/-") && is_digit(text[end + 1]);
    if (!is_digit(text[end]) && !joins) break;
    end += joins ? 2 : 1;
  }
  return end;
}

// True behind a character of the same word.
bool is_inside_word(std::string_view text, size_t at) {
  if (at == 0) return false;
  size_t begin = at - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
  return is_part_of_word(text.substr(begin, at - begin));
}

bool is_followed_by_word(std::string_view text, size_t at) {
  size_t end = at;
  if (at < text.size()) next_code_point(text, end);
  return end > at && is_part_of_word(text.substr(at, end - at));
}

size_t protected_at(std::string_view text, size_t at, const ProtectedKinds& kinds) {
  const std::string_view rest = text.substr(at);
  size_t longest = kinds.placeholders ? placeholder(rest) : 0;
  if (is_inside_word(text, at)) return longest;
  if (kinds.urls) longest = std::max(longest, url(rest));
  if (kinds.emails) longest = std::max(longest, email(rest));
  if (!kinds.numbers) return longest;
  const size_t digits = number(rest);
  return is_followed_by_word(text, at + digits) ? longest : std::max(longest, digits);
}

}  // namespace

std::optional<ProtectedKinds> parse_protected_kinds(std::string_view words) {
  ProtectedKinds kinds;
  for (size_t begin = 0; begin <= words.size();) {
    const size_t end = std::min(words.find(',', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    bool* kind = word == "placeholders" ? &kinds.placeholders
                 : word == "urls"       ? &kinds.urls
                 : word == "emails"     ? &kinds.emails
                 : word == "numbers"    ? &kinds.numbers
                                        : nullptr;
    if (kind == nullptr) return std::nullopt;
    *kind = true;
    begin = end + 1;
  }
  return kinds;
}

std::vector<TextRange> find_protected(std::string_view text, const ProtectedKinds& kinds) {
  std::vector<TextRange> found;
  for (size_t at = 0; kinds.any() && at < text.size();) {
    const size_t size = protected_at(text, at, kinds);
    if (size > 0) found.push_back({at, at + size});
    at += std::max<size_t>(size, 1);
  }
  return found;
}

}  // namespace heed
