// Lines of a pair as words, while augmentation changes them. Word alignments follow the words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/word_unit.h"

namespace heed {

struct LineWord {
  std::string before;  // white space before the word
  std::string text;    // may become several words, which then share its alignment
  bool masked = false;
};

struct WordLine {
  std::vector<LineWord> words;
  std::string end{};  // behind the last word
  WordUnit unit = WordUnit::kByLine;
  std::string language{};  // code; "": unknown

  // line: well-formed UTF-8.
  WordLine(std::string_view line, WordUnit unit, std::string language);
  std::string text() const;
  // Separator of words in this line: a space, or nothing where the script has none.
  const char* separator() const;
  void insert(size_t position, std::string word);
  // Masked words, as numbers of the words of text().
  std::vector<size_t> masked_words() const;
};

// (word of the source, word of the target)
using WordLinks = std::vector<std::pair<size_t, size_t>>;

struct AugmentedPair {
  std::vector<WordLine> sides;  // sources, then the target
  std::optional<WordLinks> links{};
  size_t aligned = 0;  // number of the source with these links

  size_t sources() const { return sides.size() - 1; }
  // Inserts the word on the side, and moves the links.
  void insert(size_t side, size_t position, std::string word);
  void erase(size_t side, size_t position);
  // Links of words that have no other.
  WordLinks single_links() const;
  // Links as a line `i-j …` that counts the words of the texts.
  std::string links_line() const;

 private:
  template <class Change>
  void for_links_of(size_t side, const Change& change);
};

// True for a word that may be changed: no tag, address or placeholder, such as <b>, >>de<<, a@b.org,
// https://…, {name} or %s.
bool is_plain_word(std::string_view word);

}  // namespace heed
