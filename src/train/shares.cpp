#include "train/shares.h"

#include <algorithm>
#include <numeric>

namespace heed {

namespace {

// What a sentence costs: its tokens on all sides, with their ends.
int64_t cost_of(const Example& example) {
  size_t tokens = example.target.size() + 1;
  for (const Ids& source : example.sources) tokens += source.size() + 1;
  return static_cast<int64_t>(tokens);
}

}  // namespace

std::vector<std::vector<Example>> divide(const std::vector<Example>& examples, int64_t count) {
  if (count <= 1) return {examples};
  std::vector<size_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return cost_of(examples[a]) > cost_of(examples[b]); });
  int64_t total = 0;
  for (const Example& example : examples) total += cost_of(example);

  std::vector<std::vector<Example>> shares(1);
  int64_t taken = 0;
  for (const size_t i : order) {
    const auto full = static_cast<int64_t>(shares.size());
    if (!shares.back().empty() && full < count && taken * count >= total * full) {
      shares.emplace_back();
    }
    shares.back().push_back(examples[i]);
    taken += cost_of(examples[i]);
  }
  return shares;
}

}  // namespace heed
