#include "search/diverse_beam.h"

#include <algorithm>

namespace heed {

DiverseBeam::DiverseBeam(const SearchConfig& config, const SearchLengths& lengths,
                         const Constraints& constraints, bool keep_attention)
    : beam_(config.beam), nbest_(config.nbest), strength_(config.diversity_strength) {
  const int64_t groups = std::min(config.diversity_groups, beam_);
  for (int64_t g = 0; g < groups; ++g) {
    SearchConfig own = config;
    own.beam = beam_ / groups + (g < beam_ % groups ? 1 : 0);
    own.nbest = std::min(nbest_, own.beam);
    groups_.push_back(std::make_unique<Beam>(own, lengths, constraints, keep_attention));
  }
  offsets_.assign(groups_.size(), 0);
}

void DiverseBeam::limit(int64_t first_row, Limits& limits) const {
  if (!has_begun_) return groups_.front()->limit(first_row, limits);
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (!groups_[g]->done()) groups_[g]->limit(first_row + offsets_[g], limits);
  }
}

void DiverseBeam::advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) {
  Beam::Penalty penalty;
  for (size_t g = 0; g < groups_.size(); ++g) {
    Beam& group = *groups_[g];
    if (group.done()) continue;
    group.advance(best, first_row + offsets_[g], attention, penalty);
    for (const Live& one : group.live()) penalty[one.id] += strength_;
  }
  join_unfinished();
}

void DiverseBeam::join_unfinished() {
  const std::vector<int64_t> former_offsets = offsets_;
  has_begun_ = true;
  live_.clear();
  for (size_t g = 0; g < groups_.size(); ++g) {
    offsets_[g] = std::ssize(live_);
    if (groups_[g]->done()) continue;
    for (const Live& one : groups_[g]->live()) {
      live_.push_back(one);
      live_.back().parent += former_offsets[g];
    }
  }
  done_ = live_.empty();
}

Ids DiverseBeam::tokens(int64_t i) const {
  size_t g = groups_.size() - 1;
  while (g > 0 && (groups_[g]->done() || offsets_[g] > i)) --g;
  return groups_[g]->tokens(i - offsets_[g]);
}

void DiverseBeam::stop() {
  for (const auto& group : groups_) {
    if (!group->done()) group->stop();
  }
  live_.clear();
  done_ = true;
}

std::vector<Hypothesis> DiverseBeam::results() const {
  std::vector<Hypothesis> all;
  for (const auto& group : groups_) {
    for (Hypothesis& one : group->results()) {
      if (std::ranges::find(all, one.ids, &Hypothesis::ids) == all.end())
        all.push_back(std::move(one));
    }
  }
  std::ranges::stable_sort(all, std::greater(), &Hypothesis::score);
  if (std::ssize(all) > nbest_) all.resize(static_cast<size_t>(nbest_));
  return all;
}

Hypothesis DiverseBeam::best_so_far() const {
  Hypothesis best = groups_.front()->best_so_far();
  for (size_t g = 1; g < groups_.size(); ++g) {
    if (Hypothesis own = groups_[g]->best_so_far(); own.score > best.score) best = std::move(own);
  }
  return best;
}

}  // namespace heed
