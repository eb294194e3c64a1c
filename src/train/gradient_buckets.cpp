#include "train/gradient_buckets.h"

#include <algorithm>
#include <utility>

#include "nn/torch.h"

#include <torch/csrc/autograd/function_hook.h>

#include "base/error.h"
#include "nn/worker_threads.h"

namespace heed {

// libtorch calls it when the gradient of a pass has been added to that of the parameter, also where
// operations have added it in place (nn/parameter_gradient.h).
class GradientBuckets::Hook final : public torch::autograd::FunctionPostHook {
 public:
  Hook(GradientBuckets& owner, size_t worker, size_t bucket)
      : owner_(owner), worker_(worker), bucket_(bucket) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    owner_.complete(worker_, bucket_);
    return outputs;
  }

 private:
  GradientBuckets& owner_;
  size_t worker_, bucket_;
};

GradientBuckets::GradientBuckets(FlatParameters& parameters, Reducer& reducer,
                                 SumPrecision precision, int64_t least)
    : parameters_(parameters), reducer_(reducer), precision_(precision) {
  cut(least);
  summed_ = buckets_.size();
  const WorkerThreads starting;
  thread_ = std::thread([this] { serve(); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return started_; });
}

GradientBuckets::~GradientBuckets() {
  for (const Hooked& hooked : hooked_) hooked.node->del_post_hook(hooked.hook);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void GradientBuckets::cut(int64_t least) {
  const std::vector<int64_t> begins = parameters_.begins();
  bucket_of_.resize(begins.size());
  int64_t end = parameters_.gradient().numel();
  Bucket bucket;
  for (size_t i = begins.size(); i-- > 0;) {
    bucket_of_[i] = buckets_.size();
    ++bucket.parameters;
    bucket.begin = begins[i];
    bucket.size = end - begins[i];
    if (bucket.size < least && i > 0) continue;
    end = bucket.begin;
    buckets_.push_back(bucket);
    bucket = {};
  }
}

void GradientBuckets::add_worker(torch::nn::Module& network, const Tensor& gradient) {
  const auto parameters = trained_parameters(network);
  HEED_CHECK(parameters.size() == bucket_of_.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto node = torch::autograd::impl::grad_accumulator(parameters[i].second);
    if (node == nullptr) continue;  // a frozen one
    hooked_.push_back(
        {node, node->add_post_hook(std::make_unique<Hook>(*this, workers_.size(), bucket_of_[i]))});
  }
  workers_.push_back({.gradient = gradient});
}

void GradientBuckets::begin() {
  const std::lock_guard lock(mutex_);
  for (Worker& worker : workers_) {
    worker.is_last = false;
    worker.incomplete.clear();
    for (const Bucket& bucket : buckets_) worker.incomplete.push_back(bucket.parameters);
  }
  summed_ = 0;
  flushes_ = false;
  failure_ = nullptr;
}

void GradientBuckets::last_pass(size_t worker) {
  const std::lock_guard lock(mutex_);
  workers_[worker].is_last = true;
}

void GradientBuckets::complete(size_t worker, size_t bucket) {
  const std::lock_guard lock(mutex_);
  Worker& own = workers_[worker];
  if (!own.is_last || flushes_) return;
  HEED_CHECK(own.incomplete[bucket] > 0, "a parameter got its gradient twice");
  if (--own.incomplete[bucket] == 0) changed_.notify_all();
}

void GradientBuckets::finish() {
  std::unique_lock lock(mutex_);
  flushes_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return summed_ == buckets_.size(); });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

bool GradientBuckets::is_ready(size_t bucket) const {
  return flushes_ || std::ranges::all_of(workers_, [bucket](const Worker& worker) {
           return worker.incomplete[bucket] == 0;
         });
}

void GradientBuckets::serve() {
  WorkerThreads::enter();
  std::unique_lock lock(mutex_);
  started_ = true;
  changed_.notify_all();
  for (;;) {
    changed_.wait(lock,
                  [this] { return stopping_ || (summed_ < buckets_.size() && is_ready(summed_)); });
    if (stopping_) return;
    const Bucket& bucket = buckets_[summed_];
    const bool has_failed = failure_ != nullptr;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (!has_failed) sum(bucket);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure;
    if (++summed_ == buckets_.size()) changed_.notify_all();
  }
}

void GradientBuckets::sum(const Bucket& bucket) {
  const torch::NoGradGuard no_grad;
  const auto part = [&](const Tensor& x) { return slice_of(x, {bucket.begin, bucket.size}); };
  Tensor total = part(parameters_.gradient());
  if (workers_.size() > 1) {
    std::vector<Tensor> own;
    for (const Worker& worker : workers_) own.push_back(part(worker.gradient));
    set_sum(total, own);
  }
  reducer_.sum(total, precision_);
}

}  // namespace heed
