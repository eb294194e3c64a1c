// Translations, from hypotheses and codecs.
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
  bool limited = false;  // cut, or shorter than a better one that was cut at the maximum length
  std::vector<double> log_probabilities;  // of each of the pieces and kEnd
  std::vector<std::string> pieces;        // unknown ones are replaced if replace_unknown
  AttentionMatrix attention;              // [pieces and kEnd][source pieces and kEnd]
  Alignment alignment;                    // of words
};

// Warns about a translation that did not end by itself.
void check_end(const Translated& translated, WarningList& warnings);
// Warns about line separators that became spaces.
void check_separators(bool separated, WarningList& warnings);

// Copies the scores of a hypothesis, without its text.
Translated with_scores_of(const Hypothesis& hypothesis);

// Number of hypotheses to request: the whole beam with SearchConfig::distinct.
int64_t wanted_hypotheses(const SearchConfig& search);
// With SearchConfig::distinct, keeps the first of translations with the same text, at most `nbest`
// in total; warns if there are fewer.
void keep_distinct(const SearchConfig& search, std::vector<Translated>& best,
                   WarningList& warnings);

// A term of the glossary in the source, and whether the best translation has one of its targets.
struct TermUse {
  std::string source;
  std::vector<std::string> targets;
  bool is_met = false;
};

// The translations of a line, or of a sentence of it.
struct TranslatedLine {
  std::vector<std::string> source;  // pieces of the source that attention is over
  std::vector<Translated> best;     // search.nbest or fewer (search.h), best first; never empty
  // True if the best translation contains all phrases of the constraints and all terms of the
  // glossary; other constraints may forbid one.
  bool constraints_met = true;
  std::vector<TermUse> terms{};
  bool whole_source = true;  // false: the source was cut at its maximum length
  WarningList warnings{};
  const std::string& text() const { return best.front().text; }
};

}  // namespace heed
