// Workers compute the gradient of an update. Each process has local workers; their gradients are
// summed over the processes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "distributed/reducer.h"
#include "distributed/reduction_config.h"
#include "train/flat_parameters.h"
#include "train/gradient_buckets.h"
#include "train/objective.h"
#include "train/parts.h"

namespace heed {

// Computes the shards of this process.
class LocalWorkers {
 public:
  virtual ~LocalWorkers() = default;
  // Stores the gradient of these workers in the buffer. Throws Interrupted as Workers do.
  virtual LossSums gradient(const Update& update) = 0;
  // Makes the buckets sum gradients from now on; the gradient in the buffer is left to them.
  virtual void sum_in(GradientBuckets& buckets) = 0;
};

// Sums the gradients of local workers over all processes, during the backward pass or after it. An
// exception in one process ends the update in all (together.h).
class SummedWorkers final : public Workers {
 public:
  SummedWorkers(std::unique_ptr<LocalWorkers> local, FlatParameters& parameters, Reducer& reducer,
                const ReductionConfig& config = {});
  TokenSums gradient(const Update& update) override;
  TokenSums gradient_again(const Update& update) override;
  double waited() const override { return waited_; }

 private:
  std::unique_ptr<LocalWorkers> local_;
  FlatParameters& parameters_;
  Reducer& reducer_;
  SumPrecision precision_;
  std::unique_ptr<GradientBuckets> buckets_;  // nullptr: summed after the backward pass
  double waited_ = 0;
};

// Computes in the calling thread, batch by batch.
class PlainWorkers final : public LocalWorkers {
 public:
  PlainWorkers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
               const Objective& objective, uint64_t seed);
  LossSums gradient(const Update& update) override;
  void sum_in(GradientBuckets& buckets) override;

 private:
  std::shared_ptr<Seq2Seq> network_;
  FlatParameters& parameters_;
  const Objective& objective_;
  uint64_t seed_;
  GradientBuckets* buckets_ = nullptr;
};

// Computes in the w threads of the parameters: worker i computes the i-th shard of each batch with
// a separate replica and gradient buffer. The buffers are added in the order of the workers, so the
// result does not depend on timing. On small matrices this is much faster than w threads inside
// each operation.
class ThreadWorkers final : public LocalWorkers {
 public:
  ThreadWorkers(const Seq2Seq& network, FlatParameters& parameters, const Objective& objective,
                uint64_t seed, int64_t workers);
  LossSums gradient(const Update& update) override;
  void sum_in(GradientBuckets& buckets) override;

 private:
  struct Worker {
    std::shared_ptr<Seq2Seq> replica;
    Tensor gradient;        // [N]
    bool is_clear = false;  // true if the gradient is all zeros
    LossSums sums;
  };
  void compute(Worker& worker, size_t index, const Update& update);
  void add_gradients();

  FlatParameters& parameters_;
  const Objective& objective_;
  uint64_t seed_;
  std::vector<Worker> workers_;
  GradientBuckets* buckets_ = nullptr;
};

// ThreadWorkers on a CPU; PlainWorkers with one worker or on another device.
std::unique_ptr<LocalWorkers> make_workers(std::shared_ptr<Seq2Seq> network,
                                           FlatParameters& parameters, const Objective& objective,
                                           uint64_t seed, int64_t workers);

}  // namespace heed
