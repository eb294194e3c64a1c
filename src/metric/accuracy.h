// Exact match of lines and accuracy of words, for tasks with one right answer.
#pragma once

#include <string>

#include "metric/letter_case.h"
#include "metric/metric.h"

namespace heed {

// Percentage of lines that equal one of their references, except for white space at the ends. If a
// line is a label, this is the accuracy of the labels; if it is a word (grapheme to phoneme), 100
// minus it is the word error rate: the part "error".
class ExactMatch final : public Metric {
 public:
  explicit ExactMatch(LetterCase letter_case = {}) : letter_case_(letter_case) {}

  std::string name() const override { return "EXACT"; }
  std::string signature(size_t references) const override;
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  Score from_sum(const Statistics& sum) const override;

 private:
  LetterCase letter_case_;
};

// Percentage of positions with the same word in hypothesis and reference. Words are split at white
// space; the number of positions is the length of the longer of the two, so that words
// that lack or are too many count as wrong (JoeyNMT divides by the length of the hypothesis alone: 3 of
// a hypothesis of 4 for a reference of 5 are 75 there and 60 here). Of several references the
// one with the highest percentage counts. Lines of one word, such as labels, have one position.
// Two empty texts are equal: 100.
class WordAccuracy final : public Metric {
 public:
  explicit WordAccuracy(LetterCase letter_case = {}) : letter_case_(letter_case) {}

  std::string name() const override { return "ACCURACY"; }
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string signature(size_t references) const override;
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  Score from_sum(const Statistics& sum) const override;

 private:
  LetterCase letter_case_;
};

}  // namespace heed
