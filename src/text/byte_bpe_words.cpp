#include "text/byte_bpe_words.h"

#include <array>
#include <cstdint>

#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace heed {

namespace {

enum class Kind : uint8_t { kEnd, kSpace, kLetter, kNumber, kOther };

Kind kind_of(char32_t character) {
  if (is_of_kind(character, CharacterKind::kWhiteSpace)) return Kind::kSpace;
  if (is_of_kind(character, CharacterKind::kLetter)) return Kind::kLetter;
  return is_of_kind(character, CharacterKind::kNumber) ? Kind::kNumber : Kind::kOther;
}

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  // "" at the end.
  std::string_view next() {
    const size_t begin = at_;
    at_ = end_of_word();
    return text_.substr(begin, at_ - begin);
  }

 private:
  // The kind of the character at a byte, which moves behind the character.
  Kind kind_at(size_t& byte) const {
    if (byte == text_.size()) return Kind::kEnd;
    return kind_of(next_code_point(text_, byte).value_or(0xFFFD));
  }

  size_t end_of_word() const {
    constexpr std::array<std::string_view, 7> kContractions = {"'s", "'t",  "'re", "'ve",
                                                               "'m", "'ll", "'d"};
    for (const std::string_view contraction : kContractions)
      if (text_.substr(at_).starts_with(contraction)) return at_ + contraction.size();
    const bool has_space = at_ < text_.size() && text_[at_] == ' ';
    size_t end = at_ + (has_space ? 1 : 0);
    const Kind kind = kind_at(end);
    if (kind == Kind::kSpace || kind == Kind::kEnd) return end_of_spaces();
    for (size_t next = end; kind_at(next) == kind; end = next) {
    }
    return end;
  }

  // White space, without the last of several before a word, which may be the space of the word.
  size_t end_of_spaces() const {
    size_t last = at_, end = at_, next = at_;
    Kind kind = kind_at(next);
    for (; kind == Kind::kSpace; kind = kind_at(next)) {
      last = end;
      end = next;
    }
    return kind == Kind::kEnd || last == at_ ? end : last;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<std::string_view> byte_bpe_words(std::string_view text) {
  WordReader reader(text);
  std::vector<std::string_view> words;
  for (std::string_view word = reader.next(); !word.empty(); word = reader.next())
    words.push_back(word);
  return words;
}

}  // namespace heed
