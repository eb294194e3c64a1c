// Scripts that are written without spaces between words (Han, kana, Thai, Lao, Khmer, Burmese), and
// segmentation of such text into words by the dictionaries of ICU.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// True for a character of such a script.
bool is_unspaced(char32_t character);

// Counts of the characters of a line that are written in such scripts.
struct ScriptCount {
  size_t letters = 0, unspaced = 0, han = 0, kana = 0, spaces = 0;
  // True if most letters are of such scripts and no tokenizer has put spaces between the words.
  bool is_unspaced() const { return 2 * unspaced > letters && 6 * spaces < unspaced; }
};
// Counts the characters of a line of well-formed UTF-8.
ScriptCount count_scripts(std::string_view line);

// True for letters and digits, which continue a word; false for letters of such scripts, where each
// character may be a word.
bool is_part_of_word(std::string_view character);

// Splits a line without spaces between words into characters: each character of such a script with
// its marks, and each run of other characters. The line is well-formed UTF-8.
std::vector<std::string> split_characters(std::string_view line);
// Separators of words in such text: spaces, tabs, U+3000 and U+200B, the zero-width space of Thai
// and Khmer.
inline constexpr std::array<std::string_view, 4> kCharacterSeparators = {" ", "\t", "\xE3\x80\x80",
                                                                         "\xE2\x80\x8B"};

class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();
  // Words and numbers by UAX 29; every other visible character is a separate word.
  std::vector<std::string> words(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heed
