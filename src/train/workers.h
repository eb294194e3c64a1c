// Workers compute the gradient of an update: in each process local workers, whose gradients are
// summed over the processes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "distributed/reducer.h"
#include "train/flat_parameters.h"
#include "train/objective.h"
#include "train/parts.h"

namespace heed {

// Compute the shards of this process.
class LocalWorkers {
 public:
  virtual ~LocalWorkers() = default;
  // Stores their part of the gradient in the buffer. Throws Interrupted as Workers do.
  virtual LossSums gradient(const Update& update) = 0;
};

// Sums the gradients of local workers over all processes. An exception in one process ends the
// update in all (together.h).
class SummedWorkers final : public Workers {
 public:
  SummedWorkers(std::unique_ptr<LocalWorkers> local, FlatParameters& parameters, Reducer& reducer)
      : local_(std::move(local)), parameters_(parameters), reducer_(reducer) {}
  TokenSums gradient(const Update& update) override;

 private:
  std::unique_ptr<LocalWorkers> local_;
  FlatParameters& parameters_;
  Reducer& reducer_;
};

// Computes in the calling thread, batch by batch.
class PlainWorkers final : public LocalWorkers {
 public:
  PlainWorkers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
               const Objective& objective, uint64_t seed);
  LossSums gradient(const Update& update) override;

 private:
  std::shared_ptr<Seq2Seq> network_;
  FlatParameters& parameters_;
  const Objective& objective_;
  uint64_t seed_;
};

// Computes in w threads with one compute thread each: worker i computes the i-th shard of each
// batch with its own replica and gradient buffer. The buffers are added in the order of the
// workers, so the result does not depend on timing. On small matrices this is much faster than w
// threads inside each operation.
class ThreadWorkers final : public LocalWorkers {
 public:
  ThreadWorkers(const Seq2Seq& network, FlatParameters& parameters, const Objective& objective,
                uint64_t seed, int64_t workers);
  ~ThreadWorkers() override;
  LossSums gradient(const Update& update) override;

 private:
  struct Worker {
    std::shared_ptr<Seq2Seq> replica;
    Tensor gradient;  // [N]
    LossSums sums;
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

  const Update* update_ = nullptr;

  std::mutex mutex_;  // of what follows
  std::condition_variable begin_, done_;
  int64_t round_ = 0;
  size_t busy_ = 0;
  bool stopping_ = false;
};

// ThreadWorkers on a CPU; PlainWorkers with one worker or on another device.
std::unique_ptr<LocalWorkers> make_workers(std::shared_ptr<Seq2Seq> network,
                                           FlatParameters& parameters, const Objective& objective,
                                           uint64_t seed, int64_t workers);

}  // namespace heed
