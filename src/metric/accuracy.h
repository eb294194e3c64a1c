// Shares of lines and of words that are right, for tasks with one right answer.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

// The share of lines that equal one of their references byte for byte, in percent.
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
// with the highest share counts.
class WordAccuracy final : public Metric {
 public:
  std::string name() const override { return "ACCURACY"; }
  std::string signature(size_t references) const override;
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  Score from_sum(const Statistics& sum) const override;
};

}  // namespace heed
