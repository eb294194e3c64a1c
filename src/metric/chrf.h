// chrF (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation") and chrF++
// (Popović 2017, "chrF++: words helping character n-grams"), with the choices of sacreBLEU 2.6.0: the
// value and the signature are those it prints, but for the signature's version.
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

// Precision and recall of the n-grams of each order are averaged over the orders that both texts
// have n-grams of; the F score of these averages is the value. A punctuation mark at one end of a
// word is a word of its own. White space at the end of a line never counts.
class Chrf final : public Metric {
 public:
  // Error(kUsage) if an order is below zero, both are zero, or beta is below 1.
  explicit Chrf(const ChrfOptions& options = {});

  // chrF2, chrF2++: with beta and a + for each order of words.
  std::string name() const override;
  bool counts_ties() const override { return false; }
  std::string signature(size_t references) const override;
  // {n-grams of the hypothesis, of the reference, matches} for each order: characters, then words. Of
  // several references, those of the one with the highest score.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: precision, recall.
  Score from_sum(const Statistics& sum) const override;

 private:
  ChrfOptions options_;
};

}  // namespace heed
