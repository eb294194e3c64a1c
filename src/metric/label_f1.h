// F1 of classes, for tasks whose lines are labels.
#pragma once

#include <string>
#include <vector>

#include "metric/letter_case.h"
#include "metric/metric.h"

namespace heed {

// The F1 of each class by itself, and the mean of them, in percent (macro-averaged, as
// scikit-learn's f1_score(average="macro") has it): a rare class counts as much as a frequent one.
// A line without the white space at its ends is a class, the empty one too; those count that occur
// in the hypotheses or the references. A class that is never right has F1 0.
//
// A line has one class, so several references are refused: Error(kUsage).
class LabelF1 final : public Metric {
 public:
  explicit LabelF1(LetterCase letter_case = {}) : letter_case_(letter_case) {}

  std::string name() const override { return "F1"; }
  std::string signature(size_t references) const override;
  // {lines that are right, hypotheses, references} of each class of the line, or of the corpus.
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  std::vector<Statistics> line_statistics(const Lines& hypotheses,
                                          const References& references) const override;
  Score score(const Lines& hypotheses, const References& references) const override;
  // Parts: precision and recall, means over the classes as well; classes.
  Score from_sum(const Statistics& sum) const override;

 private:
  LetterCase letter_case_;
};

}  // namespace heed
