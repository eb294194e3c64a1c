#include "inference/candidate_weights.h"

#include <algorithm>

#include "base/sorted.h"

namespace heed {

void CandidateWeights::update(const std::vector<Candidates>& sentences,
                              const PackedMatrix& output) {
  const auto is_there = [this](const Candidates& list) { return columns_.contains(list); };
  if (std::ranges::all_of(sentences, is_there)) return;
  Ids all;
  for (const Candidates& list : sentences) all.insert(all.end(), list->begin(), list->end());
  sort_unique(all);
  weights_ = output.select(all);
  columns_.clear();
  for (const Candidates& list : sentences) {
    std::vector<int32_t> columns;
    for (const int32_t id : *list)
      columns.push_back(static_cast<int32_t>(std::ranges::lower_bound(all, id) - all.begin()));
    columns_[list] = std::move(columns);
  }
}

}  // namespace heed
