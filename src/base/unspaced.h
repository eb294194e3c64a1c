// Scripts that write no spaces between words (Han, kana, Thai, Lao, Khmer, Burmese), and the words of
// such text by the dictionaries of ICU.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// True for a character of such a script.
bool is_unspaced(char32_t character);

// How much of a line is written in such scripts.
struct ScriptCount {
  size_t letters = 0, unspaced = 0, han = 0, kana = 0, spaces = 0;
  // Most letters are of such scripts, and no tokenizer has put spaces between the words.
  bool is_unspaced() const { return 2 * unspaced > letters && 6 * spaces < unspaced; }
};
// Of well-formed UTF-8.
ScriptCount count_scripts(std::string_view line);

class WordBreaker {
 public:
  WordBreaker();
  ~WordBreaker();
  // Words and numbers by UAX 29, and every other visible character by itself.
  std::vector<std::string> words(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heed
