#include "translate/translated.h"

#include <algorithm>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

bool merges(const SearchConfig& search) {
  return search.distinct && search.nbest > 1 && !search.sampling;
}

}  // namespace

Translated with_scores_of(const Hypothesis& hypothesis) {
  Translated result;
  result.score = hypothesis.score;
  result.log_probability = hypothesis.log_probability;
  result.finished = hypothesis.finished;
  result.stuck = hypothesis.stuck;
  result.limited = !hypothesis.stuck && (hypothesis.limited || !hypothesis.finished);
  result.log_probabilities = hypothesis.log_probabilities;
  return result;
}

const char* warning_of_end(const Translated& translated) {
  if (translated.stuck)
    return "ended early, because no token was possible: no_repeat_ngram, min_length, suppressed "
           "tokens or phrases forbid all of them";
  if (translated.limited)
    return "cut or shortened by the maximum length; a larger max_length_ratio or max_length_extra "
           "allows more";
  return nullptr;
}

std::string cut_after(const Translated& translated) {
  return fmt::format("{} tokens", translated.pieces.size());
}

int64_t wanted_hypotheses(const SearchConfig& search) {
  return merges(search) ? std::max(search.beam, search.nbest) : search.nbest;
}

bool leave_distinct(const SearchConfig& search, std::vector<Translated>& best) {
  if (!merges(search)) return true;
  std::set<std::string> texts;
  std::erase_if(best, [&](const Translated& one) { return !texts.insert(one.text).second; });
  const auto most = static_cast<size_t>(search.nbest);
  if (best.size() > most) best.erase(best.begin() + search.nbest, best.end());
  return best.size() == most;
}

}  // namespace heed
