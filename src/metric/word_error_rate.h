// Word error rate, as speech recognition measures it.
#pragma once

#include <string>

#include "metric/letter_case.h"
#include "metric/metric.h"

namespace heed {

// Edits (words put in, left out or exchanged; Levenshtein 1966) that make the hypotheses the
// references, over the words of the references, in percent: 0 is best, and above 100 is possible.
// Words are split at white space, so of phones with spaces between them it is the phone error rate.
// Of several references the one with the lowest rate counts. References without any word count as
// one, as in jiwer.
class WordErrorRate final : public Metric {
 public:
  explicit WordErrorRate(LetterCase letter_case = {}) : letter_case_(letter_case) {}

  std::string name() const override { return "WER"; }
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string signature(size_t references) const override;
  bool higher_is_better() const override { return false; }
  // {edits, words of the reference}
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: edits, words.
  Score from_sum(const Statistics& sum) const override;

 private:
  LetterCase letter_case_;
};

}  // namespace heed
