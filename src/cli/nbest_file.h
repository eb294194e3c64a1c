// N-best lists in the format of Moses, a line for each translation:
//   NUMBER ||| TEXT ||| NAME= VALUE … NAME= VALUE … ||| SCORE ||| …
// NUMBER: of the source line, from 0. Lists of `heed translate --nbest` have no features. Marian has
// columns of alignments and WordScores before the features, Moses behind the score: the score is the
// first column that is a number, the features are what stands before it. A list may also be what
// `heed translate --format json` writes, an object for each source line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heed {

struct NbestLine {
  int64_t sentence = 0;                // from 0
  int64_t number = 0;                  // of the line in the file, from 1
  std::vector<std::string> columns{};  // between the bars, with their spaces
  size_t score = 2;                    // its column; that of the features stands before it, if any
  std::string text() const;            // without spaces at the ends, as it was before text_column()
  std::string features() const;        // "" if there are none
  std::string written() const;
  // Behind the other features. value: written with six decimals.
  void add_feature(const std::string& name, double value);
  void set_score(double value);
};

struct NbestList {
  std::string path;
  std::vector<NbestLine> lines{};
  int64_t sentences() const { return lines.empty() ? 0 : lines.back().sentence + 1; }
  std::string place(size_t line) const;  // of lines[line] in the file: "list:17"
};

// Error(kData) with the line for one that is malformed, and where the numbers are not 0, 1, 2, …,
// each for one or more lines in a row.
NbestList read_nbest_list(const std::string& path);

// Values by the name of the feature, which may have several: "TM= -1 -2"; numbers, or -inf, the
// logarithm of 0. Error(kData) that begins with `place` for text of another form and for a name that
// comes twice. A value may follow its name without a space: F0=-1.
using Features = std::map<std::string, std::vector<double>>;
Features parse_features(const std::string& text, const std::string& place);

// Weights from a file with a line `NAME= WEIGHT …` for each feature, or from the section [weight] of
// a moses.ini, as Moses' nbest-rescore reads them. Error(kData) for lines of another form and for a
// weight that is not finite.
Features read_feature_weights(const std::string& path);

// Σ weight · value over the features of a line; a weight of 0 takes no account of the value.
// Error(kData) that begins with `place` where a feature has no weights or another number of them, for
// a weight without a feature, and where -inf makes the sum nan or +inf.
double weighted_sum(const Features& features, const Features& weights, const std::string& place);

// Numbers of the lines, best first within each sentence; of equal scores the first in the list.
std::vector<size_t> ranked_lines(const NbestList& list, const std::vector<double>& scores);

}  // namespace heed
