// Shares of lines and of words that are right, for tasks with one right answer.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

// The share of lines that equal one of their references but for white space at the ends, in
// percent. Where a line is a label this is the accuracy of the labels; where it is a word
// (grapheme to phoneme), the rest to 100 is the word error rate: the part "error".
class ExactMatch final : public Metric {
 public:
  std::string name() const override { return "EXACT"; }
  std::string signature(size_t references) const override;
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  Score from_sum(const Statistics& sum) const override;
};

// The share of places at which the same word stands, in percent: words are split at white space,
// and the places of a line are as many as its longer side has words. Of several references the one
// with the highest share counts. Lines of one word each, such as labels, have one place each.
class WordAccuracy final : public Metric {
 public:
  std::string name() const override { return "ACCURACY"; }
  std::string signature(size_t references) const override;
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  Score from_sum(const Statistics& sum) const override;
};

}  // namespace heed
