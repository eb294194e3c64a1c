// The sentences of training lines, and the abbreviations that ICU does not know. Most lines of a
// training text are one sentence. A word is an abbreviation if it often has a period inside of
// lines, where ICU ends a sentence: more often than at the end of a line, and more often than it
// occurs without a period (ideas of Kiss and Strunk 2006, "Unsupervised multilingual sentence
// boundary detection").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed {

class SentenceEnds {
 public:
  // language: of the lines (base/sentences.h).
  explicit SentenceEnds(std::string language) : language_(std::move(language)) {}
  void add(std::string_view line);
  // Sorted, in the form of last_abbreviation(). Empty for documents, where one line in five or more
  // has several sentences.
  std::vector<std::string> abbreviations() const;
  // Share of the lines that have several sentences, if the abbreviations are none of their ends.
  double share_of_several() const;

 private:
  bool is_abbreviation(const std::string& word) const;

  struct Count {
    int64_t inside = 0, at_end = 0, without_period = 0;
  };
  std::string language_;
  int64_t lines_ = 0;
  std::unordered_map<std::string, Count> counts_;  // by the word, with its period
  std::vector<std::vector<std::string>> several_;  // ends of the sentences but the last, by line
};

}  // namespace heed
