// N-best lists in the format of Moses, a line for each translation:
//   NUMBER ||| TEXT ||| NAME= VALUE … NAME= VALUE … ||| SCORE ||| …
// NUMBER: of the source line, from 0. Lists of `heed translate --nbest` have no features. Marian
// writes columns of alignments and WordScores before the features, Moses writes them after the
// score: the score is the first column that is a number, and the features are the column before it.
// A list may also be the output of `heed translate --format json`, with an object for each source
// line.
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
  size_t score = 2;                    // its column; the column before it has the features, if any
  std::string text() const;            // without spaces at the ends, as before text_column()
  std::string features() const;        // "" if there are none
  std::string written() const;
  // Appends a feature; `value` is written with six decimals.
  void add_feature(const std::string& name, double value);
  void set_score(double value);
};

struct NbestList {
  std::string path;
  std::vector<NbestLine> lines{};
  int64_t sentences() const { return lines.empty() ? 0 : lines.back().sentence + 1; }
  std::string place(size_t line) const;  // of lines[line] in the file: "list:17"
};

// Throws Error(kData) with the line number for a malformed line, and if the numbers are not 0, 1,
// 2, …, each on one or more consecutive lines.
NbestList read_nbest_list(const std::string& path);

// Values by feature name. A feature may have several values, "TM= -1 -2", each a number or -inf,
// the logarithm of 0. A value may follow its name without a space: F0=-1. Throws Error(kData) that
// begins with `place` for text of another form and for a name that comes twice.
using FeatureValues = std::map<std::string, std::vector<double>>;
FeatureValues parse_features(const std::string& text, const std::string& place);

// Reads weights from a file with a line `NAME= WEIGHT …` for each feature, or from the section
// [weight] of a moses.ini, like Moses' nbest-rescore. Throws Error(kData) for lines of another form
// and for a weight that is not finite.
FeatureValues read_feature_weights(const std::string& path);

// Σ weight · value over the features of a line; a weight of 0 ignores the value. Throws
// Error(kData) that begins with `place` if a feature has no weights or a different number of them,
// for a weight without a feature, and if -inf makes the sum nan or +inf.
double weighted_sum(const FeatureValues& features, const FeatureValues& weights,
                    const std::string& place);

// Numbers of the lines, best first within each sentence; equal scores keep the order of the list.
std::vector<size_t> ranked_lines(const NbestList& list, const std::vector<double>& scores);

}  // namespace heed
