#include "data/sentence_groups.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/log.h"
#include "base/random.h"

namespace heed {

SentenceGroups::SentenceGroups(const std::vector<Hashes>& sides) {
  const size_t pairs = sides.at(0).size();
  if (pairs > std::numeric_limits<uint32_t>::max())
    throw_error(ErrorKind::kData, "{} pairs are too many, at most {} are possible",
                format_count(static_cast<int64_t>(pairs)),
                format_count(std::numeric_limits<uint32_t>::max()));
  group_.resize(pairs);
  std::iota(group_.begin(), group_.end(), 0U);
  for (const Hashes& side : sides) unite_equal(side);
  size_.resize(pairs);
  for (uint32_t pair = 0; pair < pairs; ++pair) ++size_[group_[pair] = find(pair)];
}

uint64_t SentenceGroups::hash(const std::string& sentence) {
  return mix64(std::hash<std::string>()(sentence));
}

// Halves the paths that it walks.
uint32_t SentenceGroups::find(uint32_t pair) {
  while (group_[pair] != pair) pair = group_[pair] = group_[group_[pair]];
  return pair;
}

void SentenceGroups::unite(uint32_t a, uint32_t b) {
  a = find(a), b = find(b);
  group_[std::max(a, b)] = std::min(a, b);
}

void SentenceGroups::unite_equal(const Hashes& hashes) {
  std::vector<uint32_t> order(hashes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](uint32_t pair) { return hashes[pair]; });
  for (size_t i = 1; i < order.size(); ++i) {
    if (hashes[order[i - 1]] == hashes[order[i]]) unite(order[i - 1], order[i]);
  }
}

int64_t SentenceGroups::count() const {
  return std::ranges::count_if(size_, [](uint32_t size) { return size > 0; });
}

int64_t SentenceGroups::largest() const {
  return size_.empty() ? 0 : *std::ranges::max_element(size_);
}

}  // namespace heed
