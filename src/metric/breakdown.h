// Scores of parts of a text: lines by length, words by frequency (Neubig et al. 2019, compare-mt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "metric/letter_case.h"
#include "metric/metric.h"

namespace heed {

// Splits lines into words by a tokenizer of BLEU (metric/bleu_tokenizers.h).
struct WordSplit {
  std::string tokenizer = "13a";
  LetterCase letter_case{};
  // Throws Error(kUsage) for an unknown tokenizer.
  std::vector<std::string> words(const std::string& line) const;
  std::string signature() const;  // "case:mixed|tok:13a"
};

struct LineGroup {
  std::string name;           // "10-19"
  std::vector<size_t> lines;  // at least one
};
// Groups lines by their number of words: in tens up to 59, and the rest.
std::vector<LineGroup> group_by_length(const Lines& lines, const WordSplit& split = {});

using WordCounts = std::unordered_map<std::string, int64_t>;
// Adds the words of a line.
void count_words(const std::string& line, WordCounts& counts, const WordSplit& split = {});

struct WordGroup {
  std::string name;   // "5-9"
  int64_t words = 0;  // of the references in this group, at least one
  // F1 of precision and recall of these words, in percent. A word of a line matches as often as it
  // occurs in both texts.
  double f1 = 0;
};
// F1 of words grouped by their count in `counts`: 0, 1, 2, 3, 4, 5-9, 10-99, 100-999, and more.
std::vector<WordGroup> f1_by_frequency(const Lines& hypotheses, const Lines& references,
                                       const WordCounts& counts, const WordSplit& split = {});

}  // namespace heed
