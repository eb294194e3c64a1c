#include "search/constrained_beam.h"

#include <algorithm>
#include <cmath>

namespace heed {

void ConstrainedBeam::limit(int64_t first_row, Limits& limits) const {
  Beam::limit(first_row, limits);
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    if (phrases_.met(ids_up_to(live_[i].node)) < phrases_.tokens())
      limits.banned.push_back({first_row + i, kEnd});
  }
}

void ConstrainedBeam::request_distributions(int64_t first_row, Distributions& distributions) {
  offered_.assign(live_.size(), {});
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    for (const int32_t id : phrases_.of(ids_up_to(live_[i].node)).next)
      offered_[i].emplace(id, -INFINITY);
    if (!offered_[i].empty()) distributions.rows.push_back(first_row + i);
  }
}

void ConstrainedBeam::draw(int64_t index, std::span<const float> log_probabilities) {
  for (auto& [id, log_probability] : offered_[index]) log_probability = log_probabilities[id];
}

void ConstrainedBeam::add(int64_t parent, int32_t id, double log_probability, const Ids& so_far,
                          Banks& banks) const {
  Ids longer = so_far;
  if (id != kEnd) longer.push_back(id);
  const Phrases::Progress progress = phrases_.of(longer);
  if (progress.missing > lengths().longest - std::ssize(longer)) return;  // too late for the rest
  const double own = live_[parent].log_probability + log_probability;
  banks[progress.met].push_back({own, own, parent, id});
}

double ConstrainedBeam::phrases_of(int64_t node) const {
  const std::vector<int64_t> path = path_to(node);
  const int64_t begin = lengths().given + lengths().prefix;
  double sum = 0;
  for (const auto& [first, last] : phrases_.of(ids_up_to(node)).occurrences) {
    for (int64_t at = std::max(first, begin); at < last; ++at) sum += log_probability_of(path[at]);
  }
  return sum;
}

double ConstrainedBeam::score(int64_t node, double log_probability, int64_t tokens,
                              double coverage) const {
  const double phrases = phrases_of(node);
  return Beam::score(node, log_probability - phrases, tokens, coverage) +
         phrases / config().length_divisor(lengths().source);
}

// Both parts of the log-probability are at most 0, and no divisor is larger than these.
double ConstrainedBeam::bound(double log_probability) const {
  return std::max(Beam::bound(log_probability),
                  log_probability / config().length_divisor(lengths().source));
}

std::vector<Beam::Candidate> ConstrainedBeam::candidates(const TopK& best, int64_t first_row,
                                                         const Penalty&) const {
  Banks banks;
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    const Ids so_far = ids_up_to(live_[i].node);
    std::map<int32_t, double> offered = offered_[i];
    const int64_t row = first_row + i;
    for (int64_t k = row * best.count; k < (row + 1) * best.count && best.id[k] >= 0; ++k) {
      offered.erase(best.id[k]);
      add(i, best.id[k], best.log_probability[k], so_far, banks);
    }
    for (const auto& [id, log_probability] : offered) {
      if (std::isfinite(log_probability)) add(i, id, log_probability, so_far, banks);
    }
  }
  for (auto& [met, bank] : banks) std::ranges::sort(bank, is_better);
  // The best of each bank in turns.
  std::vector<Candidate> chosen;
  for (size_t turn = 0; std::ssize(chosen) < wanted(); ++turn) {
    const size_t before = chosen.size();
    for (const auto& [met, bank] : banks) {
      if (turn < bank.size()) chosen.push_back(bank[turn]);
    }
    if (chosen.size() == before) break;
  }
  if (std::ssize(chosen) > wanted()) chosen.resize(static_cast<size_t>(wanted()));
  return chosen;
}

}  // namespace heed
