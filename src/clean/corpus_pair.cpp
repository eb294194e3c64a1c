#include "clean/corpus_pair.h"

#include "base/unicode/unicode.h"
#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

SideLine::SideLine(std::string line) : text(std::move(line)) {
  characters.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    constexpr char32_t kReplacement = U'\uFFFD';
    characters.push_back(next_code_point(text, offset).value_or(kReplacement));
    letters += is_of_kind(characters.back(), CharacterKind::kLetter);
  }
  is_unspaced = count_scripts(text).is_unspaced();
}

std::vector<std::string> SideLine::words() const {
  return is_unspaced ? split_characters(text) : split_words(text);
}

bool is_link(std::string_view word) {
  if (word.find("://") != std::string_view::npos || word.find("www.") != std::string_view::npos)
    return true;
  const size_t at = word.find('@');
  return at != std::string_view::npos && at > 0 && word.find('.', at + 2) != std::string_view::npos;
}

std::string normalized(const SideLine& line, bool without_digits) {
  std::string kept;
  for (const char32_t c : line.characters) {
    const bool is_letter = is_of_kind(c, CharacterKind::kLetter) || is_mark(c);
    if (is_letter || (!without_digits && is_of_kind(c, CharacterKind::kLetterOrDigit)))
      append_code_point(kept, c);
  }
  return kept.empty() ? line.text : lower_case(kept);
}

}  // namespace heed
