// Metrics of text against references.
//
// A metric computes statistics of each line (a sentence, a document); the score of a corpus is a
// function of the sum of the statistics, so that bootstrap resampling needs additions only. All texts
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
  // Everything the value depends on but the texts: "nrefs:1|case:mixed|…|version:heed-0.1.0".
  virtual std::string signature(size_t references) const = 0;
  virtual bool higher_is_better() const { return true; }
  // Whether a test of significance counts samples that differ exactly as much as the systems. False
  // of the metrics of sacreBLEU, which does not count them.
  virtual bool counts_ties() const { return true; }

  // What is wrong with a line that this metric cannot read, and what it expects; empty: nothing.
  virtual std::string fault_of(std::string_view line, LineRole role) const { return {}; }
  // Why a score of these texts, which it can read, says little; empty: nothing is known against it.
  virtual std::string doubt(const Lines& hypotheses, const References& references) const {
    return {};
  }
  // Statistics of one line, always of the same size. At least one reference.
  virtual Statistics statistics(std::string_view hypothesis,
                                const LineReferences& references) const = 0;
  // The score of a corpus from the sum of its lines' statistics.
  virtual Score from_sum(const Statistics& sum) const = 0;

  // Of a corpus and of each of its lines. Error(kData) as check_texts says. A metric overrides both
  // if what a line contributes depends on the other lines (the classes of LabelF1).
  virtual Score score(const Lines& hypotheses, const References& references) const;
  virtual std::vector<Statistics> line_statistics(const Lines& hypotheses,
                                                  const References& references) const;
  // Of one sentence by itself.
  Score score_line(std::string_view hypothesis, const LineReferences& references) const;
};

// Sums the statistics of lines; at least one line.
Statistics sum_statistics(const std::vector<Statistics>& lines);

// The line that is printed: "BLEU|nrefs:1|…|version:heed-0.1.0 = 36.1 68.2/… (BP = …)".
std::string format_score(const Metric& metric, const Score& score, size_t references,
                         int digits = 1);
// As above, with a signature that says more.
std::string format_score(const Metric& metric, const Score& score, const std::string& signature,
                         int digits);

// Throws Error(kData) if there is nothing to score, no reference, a reference with another number
// of lines, or a malformed line. The names (of files) are for the message: first the hypotheses',
// then the references'; without them it says "hypotheses" and "reference 1".
void check_texts(const Lines& hypotheses, const References& references,
                 const std::vector<std::string>& names = {});
// Throws Error(kData) for the first line that the metric cannot read; names as above.
void check_readable(const Metric& metric, const Lines& hypotheses, const References& references,
                    const std::vector<std::string>& names = {});

}  // namespace heed
