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

std::vector<Share> divide(const std::vector<Example>& examples, int64_t count, int64_t first_row) {
  std::vector<int64_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&examples](int64_t i) { return cost_of(examples[static_cast<size_t>(i)]); };
  int64_t total = 0;
  for (const int64_t i : order) total += cost(i);
  if (count > 1) {
    std::stable_sort(order.begin(), order.end(),
                     [&cost](int64_t a, int64_t b) { return cost(a) > cost(b); });
  }

  std::vector<Share> shares(1);
  int64_t taken = 0;
  for (const int64_t i : order) {
    const auto full = static_cast<int64_t>(shares.size());
    if (!shares.back().rows.empty() && full < count && taken * count >= total * full) {
      shares.emplace_back();
    }
    shares.back().examples.push_back(examples[static_cast<size_t>(i)]);
    shares.back().rows.push_back(first_row + i);
    taken += cost(i);
  }
  return shares;
}

}  // namespace heed
