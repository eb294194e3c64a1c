// The batches of the training corpus, epoch after epoch, prepared ahead in threads.
//
// Threads draw tickets in the order of the batches and put what they made into numbered slots, so
// neither their number nor their timing shows in what next() gives.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "data/batch_stream.h"
#include "data/epoch_plan.h"
#include "data/parallel_corpus.h"

namespace heed {

struct StreamOptions {
  BatchLimit limit{.tokens = 4096};
  uint64_t seed = 1;
  int threads = 1;
  size_t ahead = 8;  // batches that may be ready at once
};

// divide, next, position and seek are for one thread.
class EpochBatchStream final : public BatchStream {
 public:
  EpochBatchStream(std::shared_ptr<const ParallelCorpus> corpus, const StreamOptions& options);
  ~EpochBatchStream() override;

  // Only own examples are read.
  void divide(const Division& division) override;
  // Throws what went wrong in a thread at the batch where it went wrong; again if called again.
  Batch next() override;
  BatchPosition position() const override { return position_; }
  // next() throws Error(kData) if the epoch has no such batch, which means that data or settings
  // are others than when the position was taken.
  void seek(const BatchPosition& position) override;

 private:
  struct Ticket {
    BatchPosition position, after;
    std::shared_ptr<const EpochPlan> plan;
  };
  struct Slot {
    Batch batch;
    BatchPosition after;
    std::exception_ptr error;
  };
  void start();
  void stop();
  void work();
  bool wait_for_room();
  Ticket draw_ticket();
  Slot make_slot(const Ticket& ticket) const;
  EpochPlan::Measure measure_of(int64_t epoch) const;
  std::vector<Example> sample(const Ticket& ticket) const;
  // Example of a pair in this row of the batch.
  Example example(const Ticket& ticket, PairId pair, size_t row) const;
  void put(size_t sequence, Slot slot);

  std::shared_ptr<const ParallelCorpus> corpus_;
  StreamOptions options_;
  Division division_;
  BatchPosition position_;

  std::mutex ticket_mutex_;  // of what follows: one thread at a time draws
  BatchPosition next_ticket_;
  std::shared_ptr<const EpochPlan> plan_;
  int64_t plan_epoch_ = -1;
  size_t drawn_ = 0;

  std::mutex mutex_;  // of what follows
  std::condition_variable ready_, room_;
  std::vector<std::optional<Slot>> slots_;  // batch n of this run of the threads lies in n % size
  size_t taken_ = 0;
  bool stopping_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace heed
