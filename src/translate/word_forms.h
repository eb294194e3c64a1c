// Inflected forms of words: those of a vocabulary, and further ones by analogy. If its words "Tag" and
// "Tage" have one stem, "Vertrag" may become "Vertrage", provided that its stem stays the same.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/codec.h"

namespace heed {

// The stem of a word, which words of one meaning share. From any thread.
using StemFunction = std::function<std::string(const std::string& word)>;

class WordForms {
 public:
  // words: the most frequent first.
  WordForms(StemFunction stem, const std::vector<std::string>& words);

  // The stems of the units of a text (markup/text_units.h). Two texts with the same key are forms of
  // each other. Texts are well-formed UTF-8.
  std::vector<std::string> key(std::string_view text) const;
  // Other texts with the same key, at most `most`; words of the vocabulary come first. A word keeps its
  // letter case at the beginning; words in capitals have no other form.
  std::vector<std::string> of(const std::string& text, size_t most) const;

 private:
  using Texts = std::vector<std::string>;
  using Change = std::pair<std::string, std::string>;  // of the ending of a word
  Texts of_word(const std::string& word, size_t most) const;
  void learn_changes();

  StemFunction stem_;
  std::unordered_map<std::string, Texts> words_;  // by stem
  std::vector<Change> changes_;                   // the most frequent first
};

// The words of a vocabulary, in its order.
std::vector<std::string> words_of(const Codec& codec);

}  // namespace heed
