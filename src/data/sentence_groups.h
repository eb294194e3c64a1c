// Pairs in groups: pairs that have a sentence of the same side in common are of one group, directly or
// through other pairs (connected components, by union-find). So no sentence is in two groups.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

class SentenceGroups {
 public:
  using Hashes = std::vector<uint64_t>;
  // sides: of each side the hash of its sentence, by pair. At most 2^32 - 1 pairs.
  explicit SentenceGroups(const std::vector<Hashes>& sides);

  // hash: of a sentence as it stands.
  static uint64_t hash(const std::string& sentence);

  size_t pairs() const { return group_.size(); }
  // The first pair of the group of a pair, which stands for it.
  uint32_t group(size_t pair) const { return group_[pair]; }
  int64_t size(size_t pair) const { return size_[group_[pair]]; }
  int64_t count() const;
  int64_t largest() const;

 private:
  uint32_t find(uint32_t pair);
  void unite(uint32_t a, uint32_t b);
  void unite_equal(const Hashes& hashes);

  std::vector<uint32_t> group_;
  std::vector<uint32_t> size_;  // by the pair that stands for a group
};

}  // namespace heed
