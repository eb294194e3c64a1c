// The batches of a training run, one after the other, for ever; what a position gives is a pure
// function of (data, settings, seed, position), whatever the threads do.
#pragma once

#include <cstdint>

#include "data/batch.h"

namespace heed {

// How far a stream has been read; all that a checkpoint keeps of it.
struct BatchPosition {
  int64_t epoch = 0;
  int64_t batch = 0;   // within the epoch
  int64_t number = 0;  // since the beginning of training: epochs need not have equally many
  bool operator==(const BatchPosition&) const = default;
};

class BatchStream {
 public:
  virtual ~BatchStream() = default;
  // What next() gives of each batch; default: all of it in one shard. It changes no batch.
  virtual void divide(const Division& division) = 0;
  virtual Batch next() = 0;
  virtual BatchPosition position() const = 0;  // of the batch that next() will give
  virtual void seek(const BatchPosition& position) = 0;
};

}  // namespace heed
