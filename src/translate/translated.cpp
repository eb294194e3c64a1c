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

void check_end(const Translated& translated, WarningList& warnings) {
  const std::string detail = fmt::format("{} tokens", translated.pieces.size());
  if (translated.stuck)
    warnings.push_back({WarningKind::kEndedEarly,
                        "ended early, because no token was possible: no_repeat_ngram, min_length, "
                        "suppressed tokens or phrases forbid all of them",
                        detail});
  else if (translated.limited)
    warnings.push_back({WarningKind::kCut,
                        "cut or shortened by the maximum length; a larger max_length_ratio or "
                        "max_length_extra allows more",
                        detail});
}

void check_separators(bool separated, WarningList& warnings) {
  if (separated)
    warnings.push_back(
        {WarningKind::kSeparators, "line separators in translations, written as spaces"});
}

int64_t wanted_hypotheses(const SearchConfig& search) {
  return merges(search) ? std::max(search.beam, search.nbest) : search.nbest;
}

void keep_distinct(const SearchConfig& search, std::vector<Translated>& best,
                   WarningList& warnings) {
  if (!merges(search)) return;
  std::set<std::string> texts;
  std::erase_if(best, [&](const Translated& one) { return !texts.insert(one.text).second; });
  const auto most = static_cast<size_t>(search.nbest);
  if (best.size() > most) best.erase(best.begin() + search.nbest, best.end());
  if (best.size() < most)
    warnings.push_back(
        {WarningKind::kFewDistinct,
         "fewer distinct texts than nbest are in the beam; a larger beam may find more",
         fmt::format("{}", best.size())});
}

}  // namespace heed
