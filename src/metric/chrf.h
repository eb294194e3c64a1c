// chrF (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation") and chrF++
// (Popović 2017, "chrF++: words helping character n-grams") with the choices of sacreBLEU 2.6.0.
// The value and the signature are equal to sacreBLEU's, except for the version in the signature.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

struct ChrfOptions {
  int64_t char_order = 6;   // longest character n-grams
  int64_t word_order = 0;   // longest word n-grams; 2: chrF++
  int64_t beta = 2;         // recall counts beta times as much as precision
  bool whitespace = false;  // characters between words count too
  bool lower_case = false;
};

// Precision and recall of the n-grams of each order are averaged over the orders for which both
// texts have n-grams; the score is the F score of these averages. A punctuation mark at one end of
// a word is a separate word. White space at the end of a line never counts.
class Chrf final : public Metric {
 public:
  // Throws Error(kUsage) if an order is below zero, both are zero, or beta is below 1.
  explicit Chrf(const ChrfOptions& options = {});

  // Name with beta and a + for each order of words: chrF2, chrF2++.
  std::string name() const override;
  bool counts_ties() const override { return false; }
  std::string signature(size_t references) const override;
  // {n-grams of the hypothesis, of the reference, matches} for each order: characters, then words.
  // With several references, counts for the one with the highest score.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: precision, recall.
  Score from_sum(const Statistics& sum) const override;

 private:
  ChrfOptions options_;
};

}  // namespace heed
