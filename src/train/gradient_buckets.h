// Sums gradients over processes while the backward pass goes on (Li et al. 2020, PyTorch
// Distributed, section 3.2): the buffer is cut into buckets of whole parameters, and a thread sums
// a bucket once its gradients are complete in all workers of this process, from the end of the
// buffer on, as the backward pass goes. All processes sum the same buckets in the same order. The
// result is that of one sum of the whole buffer, bit for bit.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <torch/csrc/autograd/variable.h>
#include <torch/nn/module.h>

#include "distributed/reducer.h"
#include "train/flat_parameters.h"

namespace heed {

class GradientBuckets {
 public:
  // least: elements of a bucket, but for the last.
  GradientBuckets(FlatParameters& parameters, Reducer& reducer, SumPrecision precision,
                  int64_t least);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // One more worker, which computes with this network; gradient: its buffer [N]. One alone writes
  // to that of the parameters, those of several are added there in their order. Before the first
  // update.
  void add_worker(torch::nn::Module& network, const Tensor& gradient);

  // An update: begin(), in each worker's thread last_pass() before the backward pass that completes
  // its gradients, and finish() behind them all, whether they have failed or not: sums what is left
  // and waits. Throws what a sum has thrown.
  void begin();
  void last_pass(size_t worker);
  void finish();

 private:
  struct Bucket {
    int64_t begin = 0, size = 0;  // elements of the buffer
    int64_t parameters = 0;
  };
  struct Worker {
    Tensor gradient;
    bool is_last = false;               // the pass that now runs
    std::vector<int64_t> incomplete{};  // parameters of each bucket
  };
  class Hook;
  // Of libtorch; which pointer it is depends on its version.
  using Node = decltype(torch::autograd::impl::grad_accumulator(std::declval<const Tensor&>()));
  struct Hooked {
    Node node;
    uintptr_t hook;
  };
  void cut(int64_t least);
  void complete(size_t worker, size_t bucket);
  bool is_ready(size_t bucket) const;
  void serve();
  void sum(const Bucket& bucket);

  FlatParameters& parameters_;
  Reducer& reducer_;
  SumPrecision precision_;
  std::vector<Bucket> buckets_;      // from the end of the buffer on
  std::vector<size_t> bucket_of_{};  // of each parameter
  std::vector<Worker> workers_;
  std::vector<Hooked> hooked_;  // what adds to the gradients of the parameters

  std::mutex mutex_;  // of what follows, and of the counts of the workers
  std::condition_variable changed_;
  bool started_ = false;  // the thread
  size_t summed_ = 0;     // buckets of this update
  bool flushes_ = true;   // nothing more is going to be complete
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace heed
