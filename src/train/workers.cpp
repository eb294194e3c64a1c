#include "train/workers.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "distributed/together.h"
#include "nn/redrawn.h"
#include "nn/torch_errors.h"
#include "nn/worker_threads.h"
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
    : parameters_(parameters), objective_(objective), seed_(seed), workers_(workers) {
  for (Worker& worker : workers_) {
    worker.replica = network.replica();
    worker.replica->train();
    worker.gradient = parameters.attach_gradient(*worker.replica);
  }
  const WorkerThreads starting;
  busy_ = workers_.size();
  try {
    for (size_t i = 0; i < workers_.size(); ++i)
      workers_[i].thread = std::thread([this, i] { serve(i); });
  } catch (const std::system_error& error) {
    stop();
    throw_error(ErrorKind::kFailure, "cannot start {} threads ({}); give fewer train.workers",
                workers_.size(), error.code().message());
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

ThreadWorkers::~ThreadWorkers() { stop(); }

void ThreadWorkers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

LossSums ThreadWorkers::gradient(const Update& update) {
  for (const Batch& batch : update.batches)
    HEED_CHECK(batch.shards.size() <= workers_.size(), "{} shards", batch.shards.size());
  redraw_due(*workers_.front().replica, seed_, update.number);  // of all: they share the storage
  update_ = &update;
  {
    std::unique_lock lock(mutex_);
    ++round_;
    busy_ = workers_.size();
    begin_.notify_all();
    done_.wait(lock, [this] { return busy_ == 0; });
  }
  LossSums sums;
  for (const Worker& worker : workers_) {
    if (worker.failure) std::rethrow_exception(worker.failure);
    sums += worker.sums;
  }
  if (buckets_) return sums;
  Tensor& total = parameters_.gradient();
  torch::add_out(total, workers_[0].gradient, workers_[1].gradient);
  for (size_t i = 2; i < workers_.size(); ++i) total.add_(workers_[i].gradient);
  return sums;
}

void ThreadWorkers::sum_in(GradientBuckets& buckets) {
  buckets_ = &buckets;
  for (Worker& worker : workers_) buckets.add_worker(*worker.replica, worker.gradient);
}

void ThreadWorkers::serve(size_t index) {
  WorkerThreads::enter();
  int64_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (--busy_ == 0) done_.notify_all();
    begin_.wait(lock, [&] { return stopping_ || round_ > served; });
    if (stopping_) return;
    served = round_;
    lock.unlock();
    work(index);
    lock.lock();
  }
}

void ThreadWorkers::work(size_t index) try {
  Worker& worker = workers_[index];
  worker.failure = nullptr;
  worker.sums = {};
  worker.gradient.zero_();
  const ShardGradient gradient{objective_, seed_, *update_};
  for (size_t i = 0; i < update_->batches.size(); ++i) {
    if (i > 0 && caught_signal() != 0) throw Interrupted();
    const std::vector<Shard>& shards = update_->batches[i].shards;
    if (buckets_ && i + 1 == update_->batches.size()) buckets_->last_pass(index);
    if (index < shards.size()) worker.sums += gradient.add_to(*worker.replica, shards[index]);
  }
} catch (...) {
  workers_[index].failure = std::current_exception();
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
