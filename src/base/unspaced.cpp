#include "base/unspaced.h"

#include <unicode/brkiter.h>

#include <algorithm>

#include "base/error.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace heed {

namespace {

bool is_separator(std::string_view bytes) {
  return std::ranges::find(kCharacterSeparators, bytes) != kCharacterSeparators.end();
}

// Calls `take` with each code point and its bytes; nullopt: malformed bytes.
template <class Take>
void for_each_code_point(std::string_view text, Take take) {
  for (size_t offset = 0; offset < text.size();) {
    const size_t begin = offset;
    const auto c = next_code_point(text, offset);
    take(c, text.substr(begin, offset - begin));
  }
}

}  // namespace

bool is_unspaced(char32_t character) { return script_of(character) != Script::kOther; }

ScriptCount count_scripts(std::string_view line) {
  ScriptCount count;
  for_each_code_point(line, [&count](auto c, std::string_view) {
    count.spaces += c == U' ' || c == U'\t';
    if (!c || !is_of_kind(*c, CharacterKind::kLetter)) return;
    ++count.letters;
    const Script script = script_of(*c);
    count.unspaced += script != Script::kOther;
    count.han += script == Script::kHan;
    count.kana += script == Script::kHiragana || script == Script::kKatakana;
  });
  return count;
}

bool is_part_of_word(std::string_view character) {
  bool is_part = false;
  for_each_code_point(character, [&is_part](auto c, std::string_view) {
    is_part =
        c && (is_of_kind(*c, CharacterKind::kLetterOrDigit) || is_mark(*c)) && !is_unspaced(*c);
  });
  return is_part;
}

std::vector<std::string> split_characters(std::string_view line) {
  std::vector<std::string> words;
  enum class Last { kSeparator, kCharacter, kOther } last = Last::kSeparator;
  for_each_code_point(line, [&](auto c, std::string_view bytes) {
    if (is_separator(bytes)) {
      last = Last::kSeparator;
      return;
    }
    const bool continues = last != Last::kSeparator && c && is_mark(*c);
    const Last kind = continues ? last : c && is_unspaced(*c) ? Last::kCharacter : Last::kOther;
    if (continues || (kind == Last::kOther && last == Last::kOther))
      words.back() += bytes;
    else
      words.emplace_back(bytes);
    last = kind;
  });
  return words;
}

struct WordBreaker::Impl {
  std::unique_ptr<icu::BreakIterator> iterator;
};

WordBreaker::WordBreaker() : impl_(std::make_unique<Impl>()) {
  UErrorCode status = U_ZERO_ERROR;
  impl_->iterator.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
  HEED_CHECK(U_SUCCESS(status), "{}", u_errorName(status));
}

WordBreaker::~WordBreaker() = default;

std::vector<std::string> WordBreaker::words(std::string_view line) {
  const auto text = icu::UnicodeString::fromUTF8({line.data(), static_cast<int32_t>(line.size())});
  icu::BreakIterator& iterator = *impl_->iterator;
  iterator.setText(text);
  std::vector<std::string> words;
  for (int32_t begin = iterator.first(), end = iterator.next(); end != icu::BreakIterator::DONE;
       begin = end, end = iterator.next()) {
    std::string word;
    text.tempSubStringBetween(begin, end).toUTF8String(word);
    if (!split_words(word).empty()) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace heed
