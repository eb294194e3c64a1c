#if !defined(__EMSCRIPTEN__)
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/unicode/unicode.h"

namespace heed {

namespace {

UChar32 code_of(char32_t character) { return static_cast<UChar32>(character); }

using Iterator = std::unique_ptr<icu::BreakIterator>;

void expect_success(UErrorCode status) { HEED_CHECK(U_SUCCESS(status), "{}", u_errorName(status)); }

// Returns an iterator for this thread. Iterators are created once and copied, which takes a ten
// thousandth of the time.
Iterator iterator_of(const std::string& language) {
  static std::mutex mutex;
  static std::map<std::string, Iterator> made;
  const std::lock_guard lock(mutex);
  Iterator& iterator = made[language];
  if (!iterator) {
    UErrorCode status = U_ZERO_ERROR;
    const std::string name = (language.empty() ? "root" : language) + "@ss=standard";
    iterator.reset(icu::BreakIterator::createSentenceInstance(icu::Locale(name.c_str()), status));
    expect_success(status);
  }
  return Iterator(iterator->clone());
}

}  // namespace

bool is_of_kind(char32_t character, CharacterKind kind) {
  const UChar32 c = code_of(character);
  switch (kind) {
    case CharacterKind::kLetter:
      return u_isalpha(c);
    case CharacterKind::kCapital:
      return u_isupper(c) || u_istitle(c);
    case CharacterKind::kSmall:
      return u_islower(c);
    case CharacterKind::kLetterOrDigit:
      return u_isalnum(c);
    case CharacterKind::kPunctuation:
      return u_ispunct(c);
    case CharacterKind::kWhiteSpace:
      return u_isUWhiteSpace(c);
    case CharacterKind::kNumber:
      return (U_GET_GC_MASK(c) & U_GC_N_MASK) != 0;
  }
  return false;
}

bool is_mark(char32_t character) {
  const int kind = u_getIntPropertyValue(code_of(character), UCHAR_GRAPHEME_CLUSTER_BREAK);
  return kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK || kind == U_GCB_ZWJ;
}

Script script_of(char32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(code_of(character), &status)) {
    case USCRIPT_HAN:
      return Script::kHan;
    case USCRIPT_HIRAGANA:
      return Script::kHiragana;
    case USCRIPT_KATAKANA:
      return Script::kKatakana;
    case USCRIPT_THAI:
      return Script::kThai;
    case USCRIPT_LAO:
      return Script::kLao;
    case USCRIPT_KHMER:
      return Script::kKhmer;
    case USCRIPT_MYANMAR:
      return Script::kMyanmar;
    default:
      return Script::kOther;
  }
}

size_t cells_of(char32_t character) {
  const UChar32 c = code_of(character);
  constexpr UChar32 kSoftHyphen = 0xAD;
  if (c == kSoftHyphen) return 1;
  constexpr uint32_t kNoWidth = U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK | U_GC_CC_MASK;
  if (U_GET_GC_MASK(c) & kNoWidth) return 0;
  // The vowels and final consonants of a Hangul syllable stand inside the cell of its first
  // consonant.
  const int hangul = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  if (hangul == U_HST_VOWEL_JAMO || hangul == U_HST_TRAILING_JAMO) return 0;
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

std::string lower_cased(std::string_view text) {
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  std::string result;
  icu::UnicodeString::fromUTF8(piece).toLower(icu::Locale::getRoot()).toUTF8String(result);
  return result;
}

std::vector<size_t> sentence_ends(std::string_view text, const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, decltype(&utext_close)> view(
      utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &status),
      &utext_close);
  const Iterator iterator = iterator_of(language);
  iterator->setText(view.get(), status);
  expect_success(status);
  std::vector<size_t> ends;
  iterator->first();
  for (int32_t end = iterator->next(); end != icu::BreakIterator::DONE; end = iterator->next())
    ends.push_back(static_cast<size_t>(end));
  return ends;
}

std::string language_of_tag(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  const bool is_known = U_SUCCESS(status) && *locale.getISO3Language() != '\0';
  return is_known ? locale.getLanguage() : "";
}

}  // namespace heed
#endif
