#include "base/sentences.h"

#include <algorithm>

#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace heed {

namespace {

bool is_space(std::optional<char32_t> c) { return c && is_of_kind(*c, CharacterKind::kWhiteSpace); }

size_t leading_space(std::string_view text) {
  size_t end = 0;
  for (size_t next = 0; next < text.size(); end = next)
    if (!is_space(next_code_point(text, next))) break;
  return end;
}

// Offset of the last code point of the text before `end`.
size_t begin_of_last(std::string_view text, size_t end) {
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  };
  size_t begin = end - 1;
  while (begin > 0 && continues(text[begin])) --begin;
  return begin;
}

// Size of the text without the white space at its end.
size_t size_without_trailing_space(std::string_view text) {
  size_t size = text.size();
  while (size > 0) {
    const size_t begin = begin_of_last(text, size);
    size_t next = begin;
    if (!is_space(next_code_point(text, next))) break;
    size = begin;
  }
  return size;
}

// The white space or punctuation before the last word of the text ends here.
size_t begin_of_last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    const size_t last = begin_of_last(text, begin);
    size_t next = last;
    if (is_space(next_code_point(text, next))) break;
    begin = last;
  }
  for (size_t next = begin; next < text.size(); begin = next) {
    const auto c = next_code_point(text, next);
    if (!c || !is_of_kind(*c, CharacterKind::kPunctuation)) break;
  }
  return begin;
}

}  // namespace

std::string last_abbreviation(std::string_view sentence) {
  if (!sentence.ends_with('.')) return {};
  std::string word(sentence.substr(begin_of_last_word(sentence)));
  for (char& c : word) c = c >= '0' && c <= '9' ? '0' : c;
  return word;
}

std::string_view without_outer_space(std::string_view text) {
  text.remove_prefix(leading_space(text));
  return text.substr(0, size_without_trailing_space(text));
}

std::vector<std::string_view> split_sentences(std::string_view line, const std::string& language,
                                              const std::vector<std::string>& abbreviations) {
  std::vector<std::string_view> sentences;
  size_t begin = 0;
  for (const size_t end : sentence_ends(line, language)) {
    const std::string_view sentence = without_outer_space(line.substr(begin, end - begin));
    begin = end;
    if (sentence.empty()) continue;
    const bool goes_on =
        !sentences.empty() && !abbreviations.empty() &&
        std::ranges::binary_search(abbreviations, last_abbreviation(sentences.back()));
    if (goes_on) {
      std::string_view& last = sentences.back();
      last = {last.data(), static_cast<size_t>(sentence.data() + sentence.size() - last.data())};
    } else {
      sentences.push_back(sentence);
    }
  }
  return sentences;
}

}  // namespace heed
