// A translation that search found.
#pragma once

#include <vector>

#include "text/vocabulary.h"

namespace heed {

struct Hypothesis {
  Ids ids;  // without kBegin and kEnd
  // These three only if requested:
  double log_probability = 0;             // of ids and kEnd
  std::vector<double> log_probabilities;  // of each of them
  double score = 0;                       // that hypotheses are ranked by
  // false: cut at the maximum length, where kEnd was the only choice, or ended by the caller. If kEnd
  // had probability 0 or was not reached, log_probability is that of ids alone.
  bool finished = true;
  // true: it ended without kEnd, because constraints, or probability 0, left no token.
  bool stuck = false;
  // Only of the best one. true: at the maximum length one that had not ended was better than all that
  // had, so that this one may be shorter than it would be without the limit.
  bool limited = false;
  // weights[t][s] over the source (alignment_of in model/decoder.h), mean over heads and models: a
  // row for each of ids and kEnd, a column for each source token and kEnd; with several sources those
  // of one. Only if requested and if the models have weights.
  std::vector<std::vector<float>> attention;
};

}  // namespace heed
