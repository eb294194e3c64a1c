#include "base/unspaced.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

UScriptCode script_of(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status);
}

bool is_unspaced(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return true;
    default:
      return false;
  }
}

bool is_separator(std::string_view bytes) {
  return std::ranges::find(kCharacterSeparators, bytes) != kCharacterSeparators.end();
}

// True for an accent, a vowel sign or a joiner, which belongs to the character before it.
bool is_mark(UChar32 c) {
  const int kind = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
  return kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK || kind == U_GCB_ZWJ;
}

// Calls `take` with each code point and its bytes.
template <class Take>
void for_each_code_point(std::string_view text, Take take) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  for (size_t offset = 0; offset < text.size();) {
    const size_t begin = offset;
    UChar32 c = 0;
    U8_NEXT(bytes, offset, text.size(), c);
    take(c, text.substr(begin, offset - begin));
  }
}

}  // namespace

bool is_unspaced(char32_t character) {
  return is_unspaced(script_of(static_cast<UChar32>(character)));
}

ScriptCount count_scripts(std::string_view line) {
  ScriptCount count;
  for_each_code_point(line, [&count](UChar32 c, std::string_view) {
    count.spaces += c == ' ' || c == '\t';
    if (c < 0 || !u_isalpha(c)) return;
    ++count.letters;
    const UScriptCode script = script_of(c);
    count.unspaced += is_unspaced(script);
    count.han += script == USCRIPT_HAN;
    count.kana += script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
  });
  return count;
}

bool is_part_of_word(std::string_view character) {
  bool is_part = false;
  for_each_code_point(character, [&is_part](UChar32 c, std::string_view) {
    is_part = c >= 0 && (u_isalnum(c) || is_mark(c)) && !is_unspaced(script_of(c));
  });
  return is_part;
}

std::vector<std::string> split_characters(std::string_view line) {
  std::vector<std::string> words;
  enum class Last { kSeparator, kCharacter, kOther } last = Last::kSeparator;
  for_each_code_point(line, [&](UChar32 c, std::string_view bytes) {
    if (is_separator(bytes)) {
      last = Last::kSeparator;
      return;
    }
    const bool continues = last != Last::kSeparator && is_mark(c);
    const Last kind = continues                   ? last
                      : is_unspaced(script_of(c)) ? Last::kCharacter
                                                  : Last::kOther;
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
