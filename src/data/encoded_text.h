// The ids of the pairs of a corpus, as far as they are few: then no epoch tokenizes it again, which
// would take the processor from training.
#pragma once

#include <cstdint>
#include <vector>

#include "data/pair_index.h"
#include "text/vocabulary.h"

namespace heed {

class EncodedText {
 public:
  // Keeps nothing once there are more than `most` ids.
  EncodedText(size_t sides, size_t most) : sides_(sides), most_(most), complete_(most > 0) {}

  // Of the next pair of the index: so many of the ids of each side.
  void append(const std::vector<Ids>& pair, const std::vector<int64_t>& lengths);
  bool complete() const { return complete_; }
  // Of a corpus that is complete().
  Ids ids(PairId pair, size_t side) const;

 private:
  size_t sides_, most_;
  bool complete_;
  Ids ids_;                     // of all pairs and sides, one behind the other
  std::vector<uint32_t> ends_;  // in ids_, of each side of each pair
};

}  // namespace heed
