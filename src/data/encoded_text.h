// The ids of the pairs of a corpus, as far as they are few: then no epoch tokenizes it again, which
// would take the processor from training.
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
  // ids: of all pairs and sides, one behind the other; ends: in ids, of each side of each pair.
  // owner: what keeps them in memory.
  EncodedText(size_t sides, std::span<const int32_t> ids, std::span<const uint32_t> ends,
              std::shared_ptr<const void> owner);

  bool complete() const { return !ends_.empty(); }
  // Of a corpus that is complete().
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

  // Of the next pair of the index: so many of the ids of each side.
  void append(const std::vector<Ids>& pair, const std::vector<int64_t>& lengths);
  // Once; this has nothing afterwards.
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
