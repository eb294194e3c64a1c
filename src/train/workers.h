// Where the gradient of an update is computed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "train/flat_parameters.h"
#include "train/objective.h"
#include "train/parts.h"
#include "train/shares.h"

namespace heed {

// In the calling thread, batch after batch.
class PlainWorkers final : public Workers {
 public:
  PlainWorkers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
               const Objective& objective, uint64_t seed);
  TokenSums gradient(const std::vector<Batch>& batches, const UpdateFacts& facts) override;

 private:
  std::shared_ptr<Seq2Seq> network_;
  FlatParameters& parameters_;
  const Objective& objective_;
  uint64_t seed_;
};

// In w threads with one compute thread each: every batch is divided into w shares, and worker i
// computes the i-th of each with a replica of its own, over a gradient buffer of its own. The
// buffers are added in the order of the workers, so the result does not depend on which is done
// first. On small matrices this is far better than w threads inside each operation.
class ThreadWorkers final : public Workers {
 public:
  ThreadWorkers(const Seq2Seq& network, FlatParameters& parameters, const Objective& objective,
                uint64_t seed, int64_t workers);
  ~ThreadWorkers() override;
  TokenSums gradient(const std::vector<Batch>& batches, const UpdateFacts& facts) override;

 private:
  struct Worker {
    std::shared_ptr<Seq2Seq> replica;
    Tensor gradient;  // [N]
    TokenSums sums;
    std::exception_ptr failure;
    std::thread thread;
  };
  void stop();  // and wait for all threads that were started
  void serve(size_t index);
  void work(size_t index);

  FlatParameters& parameters_;
  const Objective& objective_;
  uint64_t seed_;
  std::vector<Worker> workers_;

  std::vector<std::vector<Share>> shares_;  // [batch][worker]
  UpdateFacts facts_;
  int64_t update_tokens_ = 0;

  std::mutex mutex_;  // of what follows
  std::condition_variable begin_, done_;
  int64_t round_ = 0;
  size_t busy_ = 0;
  bool stopping_ = false;
};

// As the config says: threads on a CPU, the plain path with one worker or on another device.
std::unique_ptr<Workers> make_workers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
                                      const Objective& objective, uint64_t seed, int64_t workers);

}  // namespace heed
