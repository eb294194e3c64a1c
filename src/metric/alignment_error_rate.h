// Alignment error rate (Och and Ney 2003, "A systematic comparison of various statistical alignment
// models") of word alignments against a manual one.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

// Of links A against the sure links S and the possible ones P ⊇ S of the reference, in percent:
//   AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|),  precision |A∩P| / |A|,  recall |A∩S| / |S|
// each of the sums over all sentences. Where neither has a link the paper's fraction is 0/0: AER is
// 0 then, and precision and recall too. A line holds the links of a
// sentence, source-target from 0: `i-j` of A and S, `i?j` or `ipj` of P. A link that is written
// twice counts once.
//
// There is one manual alignment, so several references are refused: Error(kUsage).
class AlignmentErrorRate final : public Metric {
 public:
  std::string name() const override { return "AER"; }
  std::string signature(size_t references) const override;
  bool higher_is_better() const override { return false; }
  std::string doubt(const Lines& hypotheses, const References& references) const override;
  std::string fault_of(std::string_view line, LineRole role) const override;
  // {|A∩S|, |A∩P|, |A|, |S|}. Error(kData) for a line of which fault_of() says something.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // Parts: precision, recall, and the number of links and of sure ones.
  Score from_sum(const Statistics& sum) const override;
};

}  // namespace heed
