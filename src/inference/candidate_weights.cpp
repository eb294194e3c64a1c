#include "inference/candidate_weights.h"

#include <algorithm>
#include <set>

namespace heed {

void CandidateWeights::update(const std::vector<Candidates>& rows, const PackedMatrix& output) {
  const std::set<Candidates> lists(rows.begin(), rows.end());
  const auto is_there = [this](const Candidates& list) { return columns_.contains(list); };
  if (std::ranges::all_of(lists, is_there)) return;
  Ids all;
  for (const Candidates& list : lists) all.insert(all.end(), list->begin(), list->end());
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  weights_ = output.select(all);
  columns_.clear();
  for (const Candidates& list : lists) {
    std::vector<int32_t>& columns = columns_[list];
    for (const int32_t id : *list)
      columns.push_back(static_cast<int32_t>(std::ranges::lower_bound(all, id) - all.begin()));
  }
}

}  // namespace heed
