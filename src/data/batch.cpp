#include "data/batch.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace heed {

std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs, int64_t count) {
  std::vector<int64_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&costs](int64_t i) { return costs[static_cast<size_t>(i)]; };
  const int64_t total = std::accumulate(costs.begin(), costs.end(), int64_t{0});
  if (count > 1) std::ranges::stable_sort(order, std::greater(), cost);
  std::vector<std::vector<int64_t>> shards(1);
  int64_t taken = 0;
  for (const int64_t i : order) {
    const int64_t full = std::ssize(shards);
    if (!shards.back().empty() && full < count && taken * count >= total * full)
      shards.emplace_back();
    shards.back().push_back(i);
    taken += cost(i);
  }
  return shards;
}

std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs,
                                         const Division& division) {
  const auto all = divide(costs, division.workers * division.processes);
  const auto begin_of = [&](int64_t rank) {
    return all.begin() + std::min<int64_t>(rank * division.workers, std::ssize(all));
  };
  return {begin_of(division.rank), begin_of(division.rank + 1)};
}

std::vector<Example> examples_of(const Batch& batch) {
  std::map<int64_t, Example> by_row;
  for (const Shard& shard : batch.shards) {
    for (size_t i = 0; i < shard.rows.size(); ++i) by_row[shard.rows[i]] = shard.examples[i];
  }
  std::vector<Example> examples;
  for (auto& [row, example] : by_row) examples.push_back(std::move(example));
  return examples;
}

int64_t target_tokens(const std::vector<Example>& examples) {
  size_t tokens = 0;
  for (const Example& example : examples) tokens += example.target.size() + 1;
  return static_cast<int64_t>(tokens);
}

int64_t source_tokens(const std::vector<Example>& examples) {
  size_t tokens = 0;
  for (const Example& example : examples) {
    for (const Ids& source : example.sources) tokens += source.size() + 1;
  }
  return static_cast<int64_t>(tokens);
}

}  // namespace heed
