// Set of 64-bit hashes in 16 to 32 bytes each (open addressing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

class HashSet {
 public:
  bool contains(uint64_t hash) const { return slots_[slot_of(hash)] != 0; }
  void insert(uint64_t hash) {
    uint64_t& slot = slots_[slot_of(hash)];
    if (slot != 0) return;
    slot = nonzero(hash);
    if (2 * ++count_ > slots_.size()) grow();
  }
  size_t bytes() const { return slots_.size() * sizeof(uint64_t); }

 private:
  static uint64_t nonzero(uint64_t hash) { return hash == 0 ? 1 : hash; }
  // The slot that holds the hash, or the empty one in which it belongs.
  size_t slot_of(uint64_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash & mask;
    while (slots_[slot] != 0 && slots_[slot] != nonzero(hash)) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<uint64_t> before(2 * slots_.size());
    before.swap(slots_);
    for (const uint64_t hash : before) {
      if (hash != 0) slots_[slot_of(hash)] = hash;
    }
  }

  std::vector<uint64_t> slots_ = std::vector<uint64_t>(1024);  // 0: empty
  size_t count_ = 0;
};

}  // namespace heed
