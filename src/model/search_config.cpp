#include "model/search_config.h"

#include "config/sizes.h"

#include <algorithm>
#include <cmath>

namespace heed {

void SearchConfig::fields(Fields& f) {
  f.field("beam", beam, kBeams, "hypotheses kept of each sentence; 1: greedy");
  f.field("length_penalty", length_penalty, Range{0, 100},
          "exponent of the length by which a log-probability is divided; 0: not at all");
  f.field(
      "coverage_penalty", coverage_penalty, kWeights,
      "what it costs to leave pieces of the source unread (Wu 2016: 0.2), by the decoder's last "
      "attention over the source; 0: nothing");
  f.field("min_length", min_length, kLengthsOrNone, "fewest target pieces");
  f.field("max_length_ratio", max_length_ratio, Range{0, 1000},
          "most target pieces for each source piece");
  f.field("max_length_extra", max_length_extra, kLengths, "target pieces allowed beyond these");
  f.field("patience", patience, Range{0, 1000, true},
          "the search of a sentence ends when patience times beam finished hypotheses are no worse "
          "than the best unfinished one");
  f.field("allow_unknown", allow_unknown, "whether <unk> may be produced");
  f.field("no_repeat_ngram", no_repeat_ngram, kLengthsOrNone,
          "length of the sequences of target pieces that come at most once (Paulus 2018: 3); 0: "
          "everything may be repeated");
}

int64_t SearchConfig::max_length(int64_t source_tokens) const {
  const double by_ratio = std::floor(max_length_ratio * static_cast<double>(source_tokens));
  const double longest = by_ratio + static_cast<double>(max_length_extra);
  return std::max(std::min(static_cast<int64_t>(longest), kLengths.high), min_length);
}

double SearchConfig::score(double log_probability, int64_t tokens, double coverage) const {
  const double length = std::pow((5.0 + static_cast<double>(tokens)) / 6.0, length_penalty);
  return log_probability / length + coverage_penalty * coverage;
}

}  // namespace heed
