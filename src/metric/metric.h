// Metrics of text against references.
//
// A metric computes statistics of each line (a sentence, a document). The score of a corpus is a
// function of the sum of these statistics, so bootstrap resampling only needs additions. All texts
// are well-formed UTF-8 without line ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed {

using Lines = std::vector<std::string>;
using References = std::vector<Lines>;                 // [references][lines]
using LineReferences = std::vector<std::string_view>;  // the references of one line
using Statistics = std::vector<double>;                // counts are exact in it

struct Score {
  double value = 0;     // the score; ratios are in percent
  std::string details;  // printed after the value; may be empty
  std::vector<std::pair<std::string, double>>
      parts{};  // the figures behind it, in their order, for records
};

enum class LineRole { kHypothesis, kReference };

class Metric {
 public:
  virtual ~Metric() = default;

  virtual std::string name() const = 0;  // as printed: "BLEU"
  // Everything that the value depends on except the texts:
  // "nrefs:1|case:mixed|…|version:heed-0.1.0".
  virtual std::string signature(size_t references) const = 0;
  virtual bool higher_is_better() const { return true; }
  // True if a significance test counts samples whose difference is exactly that of the systems.
  // False for the metrics of sacreBLEU, which does not count them.
  virtual bool counts_ties() const { return true; }

  // Reason why this metric cannot read a line, and the expected form; empty if it can.
  virtual std::string fault_of(std::string_view line, LineRole role) const { return {}; }
  // Reason why a score of these texts, although readable, says little; empty if none is known.
  virtual std::string caveat(const Lines& hypotheses, const References& references) const {
    return {};
  }
  // Statistics of one line, always of the same size. At least one reference.
  virtual Statistics statistics(std::string_view hypothesis,
                                const LineReferences& references) const = 0;
  // The score of a corpus from the sum of its lines' statistics.
  virtual Score from_sum(const Statistics& sum) const = 0;

  // Score a corpus, and each of its lines. Throw Error(kData) as check_texts() does. A metric
  // overrides both functions if the contribution of a line depends on other lines (the classes of
  // LabelF1).
  virtual Score score(const Lines& hypotheses, const References& references) const;
  virtual std::vector<Statistics> line_statistics(const Lines& hypotheses,
                                                  const References& references) const;
  // Scores a single sentence.
  Score score_line(std::string_view hypothesis, const LineReferences& references) const;
};

// Sums the statistics of lines; at least one line.
Statistics sum_statistics(const std::vector<Statistics>& lines);

// Formats a score for output: "BLEU|nrefs:1|…|version:heed-0.1.0 = 36.1 68.2/… (BP = …)".
std::string format_score(const Metric& metric, const Score& score, size_t references,
                         int digits = 1);
// Does the same with a signature that holds more.
std::string format_score(const Metric& metric, const Score& score, const std::string& signature,
                         int digits);

// Throws Error(kData) if the texts have no lines, references are missing, a reference has another
// number of lines, or a line is malformed. names: names of files for messages, first that of the
// hypotheses, then those of the references; without them messages use "hypotheses" and "reference
// 1".
void check_texts(const Lines& hypotheses, const References& references,
                 const std::vector<std::string>& names = {});
// Throws Error(kData) for the first line that the metric cannot read. names: as above.
void check_readable(const Metric& metric, const Lines& hypotheses, const References& references,
                    const std::vector<std::string>& names = {});

}  // namespace heed
