#include "base/unspaced.h"

#include <unicode/brkiter.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

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

}  // namespace

bool is_unspaced(char32_t character) {
  return is_unspaced(script_of(static_cast<UChar32>(character)));
}

ScriptCount count_scripts(std::string_view line) {
  ScriptCount count;
  const auto* bytes = reinterpret_cast<const uint8_t*>(line.data());
  for (size_t offset = 0; offset < line.size();) {
    UChar32 c = 0;
    U8_NEXT(bytes, offset, line.size(), c);
    count.spaces += c == ' ' || c == '\t';
    if (c < 0 || !u_isalpha(c)) continue;
    ++count.letters;
    const UScriptCode script = script_of(c);
    count.unspaced += is_unspaced(script);
    count.han += script == USCRIPT_HAN;
    count.kana += script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
  }
  return count;
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
