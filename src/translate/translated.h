// Translations as search and codecs make them.
#pragma once

#include <string>
#include <vector>

#include "search/hypothesis.h"
#include "search/search_config.h"
#include "translate/alignment.h"
#include "translate/line_warning.h"

namespace heed {

// One of the translations of a line.
struct Translated {
  std::string text;
  double score = 0, log_probability = 0;  // only if requested, as log_probabilities
  bool finished = true;                   // false: cut at the maximum length
  bool stuck = false;                     // ended early, because no token was possible
  bool limited = false;  // cut, or shorter than a better one that the maximum length has cut
  std::vector<double> log_probabilities;  // of each of the pieces and kEnd
  std::vector<std::string> pieces;        // unknown ones replaced if replace_unknown
  AttentionMatrix attention;              // [pieces and kEnd][source pieces and kEnd]
  Alignment alignment;                    // of words
};

// Warns of a translation that did not end by itself.
void check_end(const Translated& translated, WarningList& warnings);
// Warns of line separators that became spaces.
void check_separators(bool separated, WarningList& warnings);

// With the scores of a hypothesis, without its text.
Translated with_scores_of(const Hypothesis& hypothesis);

// The number of hypotheses to ask for: with SearchConfig::distinct the whole beam.
int64_t wanted_hypotheses(const SearchConfig& search);
// With SearchConfig::distinct leaves the first of those with the same text, and of these at most
// `nbest`; warns if there are fewer.
void leave_distinct(const SearchConfig& search, std::vector<Translated>& best,
                    WarningList& warnings);

struct Translation {
  std::vector<std::string> source;  // pieces of the source that attention is over
  std::vector<Translated> best;     // search.nbest or fewer (search.h), best first; never empty
  // Whether the best one holds all phrases of the constraints: others may forbid it.
  bool constraints_met = true;
  bool whole_source = true;  // false: the source was cut at its maximum length
  WarningList warnings{};
  const std::string& text() const { return best.front().text; }
};

}  // namespace heed
