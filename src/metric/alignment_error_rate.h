// Alignment error rate (Och and Ney 2003, "A systematic comparison of various statistical alignment
// models") of word alignments against a manual alignment.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

// Compares links A with the sure links S and the possible links P ⊇ S of the reference, in percent:
//   AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|),  precision |A∩P| / |A|,  recall |A∩S| / |S|
// with sums over all sentences. If neither has a link, the fraction of the paper is 0/0: then AER,
// precision and recall are 0. A line holds the links of a sentence as source-target from 0: `i-j`
// for A and S, `i?j` or `ipj` for P. A repeated link counts once.
//
// The manual alignment is unique, so several references are refused: Error(kUsage).
class AlignmentErrorRate final : public Metric {
 public:
  std::string name() const override { return "AER"; }
  std::string signature(size_t references) const override;
  bool higher_is_better() const override { return false; }
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string fault_of(std::string_view line, LineRole role) const override;
  // {|A∩S|, |A∩P|, |A|, |S|}. Throws Error(kData) for a line that fault_of() rejects.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: precision, recall, and the numbers of links and of sure links.
  Score from_sum(const Statistics& sum) const override;
};

}  // namespace heed
