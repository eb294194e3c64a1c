// TER (Snover et al. 2006, "A study of translation edit rate with targeted human annotation"), with the
// choices of sacreBLEU 2.6.0: the value and the signature are those it prints, but for the signature's
// version.
#pragma once

#include <string>

#include "metric/metric.h"
#include "metric/tercom_tokenizer.h"

namespace heed {

// Edits (metric/shifted_edits.h) for each word of the references, in percent. Of several references the
// nearest gives the edits, and the mean of all their lengths is the number of words.
class TranslationEditRate final : public Metric {
 public:
  explicit TranslationEditRate(const TercomOptions& options = {}) : options_(options) {}

  std::string name() const override { return "TER"; }
  bool counts_ties() const override { return false; }
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string signature(size_t references) const override;
  bool higher_is_better() const override { return false; }
  // {edits, words}
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // 100 if there are edits, but no words in the references. Parts: edits, words.
  Score from_sum(const Statistics& sum) const override;

 private:
  TercomOptions options_;
};

}  // namespace heed
