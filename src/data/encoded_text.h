// Ids of the pairs of a small corpus. With them no epoch tokenizes the corpus again, which would
// take processor time from training.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/pair_index.h"
#include "text/vocabulary.h"

namespace heed {

class EncodedText {
 public:
  EncodedText() = default;  // nothing
  // ids: all pairs and sides, one after the other. ends: end in `ids` of each side of each pair.
  // owner: keeps both in memory.
  EncodedText(size_t sides, std::span<const int32_t> ids, std::span<const uint32_t> ends,
              std::shared_ptr<const void> owner);

  bool complete() const { return !ends_.empty(); }
  // Requires complete().
  Ids ids(PairId pair, size_t side) const;

  std::span<const int32_t> all_ids() const { return ids_; }
  std::span<const uint32_t> ends() const { return ends_; }

 private:
  size_t sides_ = 0;
  std::span<const int32_t> ids_;
  std::span<const uint32_t> ends_;
  std::shared_ptr<const void> owner_;
};

class EncodedTextBuilder {
 public:
  // Keeps nothing once there are more than `most` ids.
  EncodedTextBuilder(size_t sides, size_t most) : sides_(sides), most_(most), full_(most == 0) {}

  // Appends the next pair of the index: the first `lengths[side]` ids of each side.
  void append(const std::vector<Ids>& pair, const std::vector<int64_t>& lengths);
  // May be called once; the builder is empty afterwards.
  EncodedText finish();

 private:
  struct Storage {
    Ids ids;
    std::vector<uint32_t> ends;
  };
  size_t sides_, most_;
  bool full_;
  Storage storage_;
};

}  // namespace heed
