// Facts of Unicode that translation needs. icu.cpp asks ICU, javascript.cpp the engine of the browser in
// which the module for browsers runs, so that the module holds no tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Kinds of characters, by general category; white space by its property.
enum class CharacterKind {
  kLetter,
  kCapital,
  kSmall,
  kLetterOrDigit,
  kPunctuation,
  kWhiteSpace,
  kNumber
};
bool is_of_kind(char32_t character, CharacterKind kind);  // kCapital: of titles too

// True for an accent, a vowel sign or a joiner, which belongs to the character before it (UAX 29:
// Extend, SpacingMark and ZWJ).
bool is_mark(char32_t character);

// Scripts that are written without spaces between words; all others are kOther.
enum class Script { kOther, kHan, kHiragana, kKatakana, kThai, kLao, kKhmer, kMyanmar };
Script script_of(char32_t character);

// Cells on a terminal: 0 for combining marks, 2 for wide East Asian characters.
size_t cells_of(char32_t character);

// Full lower-casing independent of the locale, of well-formed UTF-8.
std::string lower_cased(std::string_view text);

// Byte offsets at which the sentences of well-formed UTF-8 end, white space included (UAX 29).
// language: a code, "" for the rules that all share. ICU knows abbreviations of the language, browsers
// do not.
std::vector<size_t> sentence_ends(std::string_view text, const std::string& language);

// The language of a tag of BCP 47, such as "de" of "de-AT"; "": none that is known.
std::string language_of_tag(const std::string& tag);

}  // namespace heed
