// Endless stream of the batches of a training run. The batch at a position is a pure function of
// (data, settings, seed, position), independent of the threads.
#pragma once

#include <cstdint>

#include "data/batch.h"

namespace heed {

// Position of a stream: the only part of it that a checkpoint saves.
struct BatchPosition {
  int64_t epoch = 0;
  int64_t batch = 0;   // within the epoch
  int64_t number = 0;  // since the beginning of training: epochs may differ in length
  bool operator==(const BatchPosition&) const = default;
};

class BatchStream {
 public:
  virtual ~BatchStream() = default;
  // Sets which shards of each batch next() returns; default: the whole batch in one shard. The
  // batches stay the same.
  virtual void divide(const Division& division) = 0;
  virtual Batch next() = 0;
  virtual BatchPosition position() const = 0;  // of the batch that next() will return
  virtual void seek(const BatchPosition& position) = 0;
};

}  // namespace heed
