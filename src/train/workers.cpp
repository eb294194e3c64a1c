#include "train/workers.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "nn/torch.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "distributed/together.h"
#include "nn/parameter_gradient.h"
#include "nn/redrawn.h"
#include "nn/torch_errors.h"
#include "train/steady_clock.h"

namespace heed {

namespace {

// Adds the gradient of a shard to that of the network.
struct ShardGradient {
  const Objective& objective;
  uint64_t seed;
  const Update& update;

  LossSums add_to(Seq2Seq& network, const Shard& shard) const {
    Pass pass = Pass::for_training(seed, update.number, shard.rows);
    pass.baseline = update.baseline;
    const auto what = [&] { return describe(shard); };
    return with_memory_for(what, [&] {
      return with_known_errors([&] {
        const ObjectiveLoss loss = objective.loss(network, shard.examples, pass, update.tokens);
        const GradientsInPlace in_place;
        loss.loss.backward();
        return loss.sums;
      });
    });
  }

  std::string describe(const Shard& shard) const {
    return fmt::format(
        "update {}, the gradient of {} sentences of {} source and {} target tokens; a smaller "
        "train.batch or fewer train.workers need less",
        update.number, shard.examples.size(), source_tokens(shard.examples),
        target_tokens(shard.examples));
  }
};

}  // namespace

PlainWorkers::PlainWorkers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
                           const Objective& objective, uint64_t seed)
    : network_(std::move(network)), parameters_(parameters), objective_(objective), seed_(seed) {}

LossSums PlainWorkers::gradient(const Update& update) {
  redraw_due(*network_, seed_, update.number);
  parameters_.gradient().zero_();
  const ShardGradient gradient{objective_, seed_, update};
  LossSums sums;
  for (size_t i = 0; i < update.batches.size(); ++i) {
    if (i > 0 && caught_signal() != 0) throw Interrupted();
    const std::vector<Shard>& shards = update.batches[i].shards;
    for (size_t s = 0; s < shards.size(); ++s) {
      if (buckets_ && i + 1 == update.batches.size() && s + 1 == shards.size())
        buckets_->last_pass(0);
      sums += gradient.add_to(*network_, shards[s]);
    }
  }
  return sums;
}

void PlainWorkers::sum_in(GradientBuckets& buckets) {
  buckets_ = &buckets;
  buckets.add_worker(*network_, parameters_.gradient());
}

ThreadWorkers::ThreadWorkers(const Seq2Seq& network, FlatParameters& parameters,
                             const Objective& objective, uint64_t seed, int64_t workers)
    : parameters_(parameters),
      objective_(objective),
      seed_(seed),
      workers_(static_cast<size_t>(workers)) {
  for (Worker& worker : workers_) {
    worker.replica = network.replica();
    worker.replica->train();
    worker.gradient = parameters.attach_gradient(*worker.replica);
  }
  parameters.use_threads(workers);
}

LossSums ThreadWorkers::gradient(const Update& update) {
  for (const Batch& batch : update.batches)
    HEED_CHECK(batch.shards.size() <= workers_.size(), "{} shards", batch.shards.size());
  HEED_CHECK(parameters_.team().size() == std::ssize(workers_), "another number of threads");
  redraw_due(*workers_.front().replica, seed_, update.number);  // of all: they share the storage
  parameters_.team().run([&](size_t i) { compute(workers_[i], i, update); });
  LossSums sums;
  for (const Worker& worker : workers_) sums += worker.sums;
  if (!buckets_) add_gradients();
  return sums;
}

// Clears those of the workers in the same pass, while they are in the cache.
void ThreadWorkers::add_gradients() {
  parameters_.in_blocks(parameters_.gradient().numel(), [this](const BufferPart& block) {
    std::vector<Tensor> own;
    for (const Worker& worker : workers_) own.push_back(slice_of(worker.gradient, block));
    set_sum(slice_of(parameters_.gradient(), block), own);
    for (Tensor& gradient : own) gradient.zero_();
  });
  for (Worker& worker : workers_) worker.is_clear = true;
}

void ThreadWorkers::sum_in(GradientBuckets& buckets) {
  buckets_ = &buckets;
  for (Worker& worker : workers_) buckets.add_worker(*worker.replica, worker.gradient);
}

void ThreadWorkers::compute(Worker& worker, size_t index, const Update& update) {
  worker.sums = {};
  if (!std::exchange(worker.is_clear, false)) worker.gradient.zero_();
  const ShardGradient gradient{objective_, seed_, update};
  for (size_t i = 0; i < update.batches.size(); ++i) {
    if (i > 0 && caught_signal() != 0) throw Interrupted();
    const std::vector<Shard>& shards = update.batches[i].shards;
    if (buckets_ && i + 1 == update.batches.size()) buckets_->last_pass(index);
    if (index < shards.size()) worker.sums += gradient.add_to(*worker.replica, shards[index]);
  }
}

namespace {

// Elements of a bucket: each process sends a p-th part of it to each of the others, and short
// messages take their latency alone.
int64_t bucket_size(int64_t processes) {
  constexpr int64_t kLeast = 1 << 18, kMessage = 1 << 14;
  return std::max(kLeast, kMessage * processes);
}

}  // namespace

SummedWorkers::SummedWorkers(std::unique_ptr<LocalWorkers> local, FlatParameters& parameters,
                             Reducer& reducer, const ReductionConfig& config)
    : local_(std::move(local)),
      parameters_(parameters),
      reducer_(reducer),
      precision_(config.precision) {
  if (!config.overlap || reducer.processes() == 1) return;
  buckets_ = std::make_unique<GradientBuckets>(parameters, reducer, config.precision,
                                               bucket_size(reducer.processes()));
  local_->sum_in(*buckets_);
}

TokenSums SummedWorkers::gradient(const Update& update) {
  LossSums own;
  SteadyClock clock;
  double computed = 0;  // when the others may still compute
  together(reducer_, [&] {
    if (buckets_) buckets_->begin();
    std::exception_ptr failure;
    try {
      own = local_->gradient(update);
    } catch (...) {
      failure = std::current_exception();
    }
    computed = clock.now();
    if (buckets_) buckets_->finish();  // the others wait for the sums in any case
    if (failure) std::rethrow_exception(failure);
  });
  if (!buckets_) reducer_.sum(parameters_.gradient(), precision_);
  const Tensor sums = own.values().to(parameters_.gradient().device());
  reducer_.sum(sums);
  if (reducer_.processes() > 1) waited_ += clock.now() - computed;
  return LossSums::read(sums);
}

TokenSums SummedWorkers::gradient_again(const Update& update) {
  Update first = update;
  first.batches.resize(1);
  return gradient(first);
}

std::unique_ptr<LocalWorkers> make_workers(std::shared_ptr<Seq2Seq> network,
                                           FlatParameters& parameters, const Objective& objective,
                                           uint64_t seed, int64_t workers) {
  HEED_CHECK(workers == 1 || network->device().is_cpu(), "{} workers", workers);
  if (workers == 1) {
    return std::make_unique<PlainWorkers>(std::move(network), parameters, objective, seed);
  }
  return std::make_unique<ThreadWorkers>(*network, parameters, objective, seed, workers);
}

}  // namespace heed
