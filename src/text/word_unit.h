// Words as users count them in a line: for word alignments, unknown words, edges, labels of words and
// pictures by words.
//
// A word is what stands between spaces or tabs. In text that is written without spaces between words
// (base/unspaced.h: Chinese, Japanese, Thai and others), each character is a word. A tokenizer has no
// part in this, but that the pieces which `join` writes together are one word, and that a marker
// between sentences, unless it is spaces, is one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

enum class WordUnit {
  kByLine,      // not known: in a line that has no spaces between its words as kCharacters
  kSpaces,      // between spaces in every line
  kCharacters,  // as split_characters() in every line
};

// The unit of this line, which is never kByLine.
WordUnit unit_of(WordUnit unit, std::string_view line);
// line: well-formed UTF-8.
std::vector<std::string> split_words(std::string_view line, WordUnit unit);

// Finds how a text is written from its lines: kByLine where fewer than 1 in 100 are in scripts without
// spaces between words, else kCharacters or, where a word segmenter has put spaces there, kSpaces.
class WordUnitSurvey {
 public:
  void add(std::string_view line);
  WordUnit unit() const;

 private:
  int64_t lines_ = 0, own_ = 0, unspaced_ = 0;
};

}  // namespace heed
