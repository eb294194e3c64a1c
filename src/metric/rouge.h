// ROUGE (Lin 2004, "ROUGE: a package for automatic evaluation of summaries", sections 2 to 3) with
// the choices of rouge-score 0.1.2: words are runs of the lower-cased letters a-z and digits, the
// score of a corpus is the mean of its lines' F1, precision and recall, in percent here; of several
// references, the one with the highest F1 counts.
#pragma once

#include <string>

#include "metric/metric.h"

namespace heed {

enum class RougeKind {
  kUnigrams,  // rouge1
  kBigrams,   // rouge2
  kLongest,   // rougeL: longest common subsequence of the line
  kSummary,   // rougeLsum: union of those of each reference sentence with every sentence of the
              // hypothesis (section 3.2)
};

enum class RougeWords {
  kAscii,    // of rouge-score: runs of a-z and 0-9, so that other scripts have none
  kUnicode,  // metric/unicode_words.h
};

struct RougeOptions {
  bool stem = false;  // words of more than three letters, by porter_stem; of kAscii alone
  std::string sentence_break =
      "\n";  // what separates the sentences of a line for rougeLsum; a tab, say, in files
  RougeWords words = RougeWords::kAscii;
};

class Rouge final : public Metric {
 public:
  // Error(kUsage) if the sentence break is empty.
  explicit Rouge(RougeKind kind, const RougeOptions& options = {});

  std::string name() const override;
  // Names the share of letters that its words cannot hold.
  std::string caveat(const Lines& hypotheses, const References& references) const override;
  std::string signature(size_t references) const override;
  // {F1, precision, recall, 1}
  Statistics statistics(std::string_view hypothesis,
                        const LineReferences& references) const override;
  // The value is F1. Parts: f1, precision, recall.
  Score from_sum(const Statistics& sum) const override;

 private:
  RougeKind kind_;
  RougeOptions options_;
};

// The words that ROUGE counts.
std::vector<std::string> rouge_words(std::string_view text, bool stem);

}  // namespace heed
