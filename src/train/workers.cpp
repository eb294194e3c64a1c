#include "train/workers.h"

#include <ATen/Parallel.h>
#include "nn/torch.h"

#include "base/error.h"

namespace heed {

namespace {

int64_t tokens_of(const std::vector<Batch>& batches) {
  int64_t tokens = 0;
  for (const Batch& batch : batches) tokens += target_tokens(batch.examples);
  return tokens;
}

// The shares of each batch, with rows counted through the whole update.
std::vector<std::vector<Share>> divide_all(const std::vector<Batch>& batches, size_t count) {
  std::vector<std::vector<Share>> shares;
  int64_t first_row = 0;
  for (const Batch& batch : batches) {
    shares.push_back(divide(batch.examples, static_cast<int64_t>(count), first_row));
    first_row += static_cast<int64_t>(batch.examples.size());
  }
  return shares;
}

}  // namespace

PlainWorkers::PlainWorkers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
                           const Objective& objective, uint64_t seed)
    : network_(std::move(network)), parameters_(parameters), objective_(objective), seed_(seed) {}

TokenSums PlainWorkers::gradient(const std::vector<Batch>& batches, int64_t update) {
  parameters_.gradient().zero_();
  const int64_t tokens = tokens_of(batches);
  TokenSums sums;
  for (const std::vector<Share>& whole : divide_all(batches, 1)) {
    const Share& share = whole.front();
    const Pass pass = Pass::for_training(seed_, update, share.rows);
    const ObjectiveLoss loss = objective_.loss(*network_, share.examples, pass, tokens);
    loss.loss.backward();
    sums += loss.sums;
  }
  return sums;
}

ThreadWorkers::ThreadWorkers(const Seq2Seq& network, FlatParameters& parameters,
                             const Objective& objective, uint64_t seed, int64_t workers)
    : parameters_(parameters), objective_(objective), seed_(seed), workers_(workers) {
  for (Worker& worker : workers_) {
    worker.replica = network.replica();
    worker.replica->train();
    worker.gradient = parameters.attach_gradient(*worker.replica);
  }
  const int threads_before = at::get_num_threads();
  busy_ = workers_.size();
  for (size_t i = 0; i < workers_.size(); ++i) {
    workers_[i].thread = std::thread([this, i] { serve(i); });
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  at::set_num_threads(threads_before);  // what a worker sets is also the number of threads to come
}

ThreadWorkers::~ThreadWorkers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (Worker& worker : workers_) worker.thread.join();
}

TokenSums ThreadWorkers::gradient(const std::vector<Batch>& batches, int64_t update) {
  shares_ = divide_all(batches, workers_.size());
  update_ = update;
  update_tokens_ = tokens_of(batches);
  {
    std::unique_lock lock(mutex_);
    ++round_;
    busy_ = workers_.size();
    begin_.notify_all();
    done_.wait(lock, [this] { return busy_ == 0; });
  }
  TokenSums sums;
  for (const Worker& worker : workers_) {
    if (worker.failure) std::rethrow_exception(worker.failure);
    sums += worker.sums;
  }
  Tensor& total = parameters_.gradient();
  torch::add_out(total, workers_[0].gradient, workers_[1].gradient);
  for (size_t i = 2; i < workers_.size(); ++i) total.add_(workers_[i].gradient);
  return sums;
}

void ThreadWorkers::serve(size_t index) {
  at::set_num_threads(1);
  at::globalContext().setFlushDenormal(true);
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
  for (const std::vector<Share>& shares : shares_) {
    if (index >= shares.size()) continue;
    const Share& share = shares[index];
    const Pass pass = Pass::for_training(seed_, update_, share.rows);
    const ObjectiveLoss loss =
        objective_.loss(*worker.replica, share.examples, pass, update_tokens_);
    loss.loss.backward();
    worker.sums += loss.sums;
  }
} catch (...) {
  workers_[index].failure = std::current_exception();
}

std::unique_ptr<Workers> make_workers(std::shared_ptr<Seq2Seq> network, FlatParameters& parameters,
                                      const Objective& objective, uint64_t seed, int64_t workers) {
  HEED_CHECK(workers == 1 || network->device().is_cpu(), "{} workers", workers);
  if (workers == 1) {
    return std::make_unique<PlainWorkers>(std::move(network), parameters, objective, seed);
  }
  return std::make_unique<ThreadWorkers>(*network, parameters, objective, seed, workers);
}

}  // namespace heed
