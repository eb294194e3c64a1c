// Sums gradients over processes during the backward pass (Li et al. 2020, PyTorch Distributed,
// section 3.2). The buffer is divided into buckets of whole parameters. A thread sums a bucket as
// soon as its gradients are complete in all workers of this process, beginning at the end of the
// buffer, as the backward pass does. All processes sum the same buckets in the same order. The
// result equals one sum of the whole buffer, bit for bit.
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
  // least: smallest number of elements of a bucket, except the last.
  GradientBuckets(FlatParameters& parameters, Reducer& reducer, SumPrecision precision,
                  int64_t least);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  // Adds a worker that computes with this network. gradient: its buffer [N]. A single worker writes
  // to the buffer of the parameters; the buffers of several workers are added there in their order.
  // Called before the first update.
  void add_worker(torch::nn::Module& network, const Tensor& gradient);

  // Calls for an update: begin(); last_pass() in each worker's thread, before the backward pass
  // that completes its gradients; finish() after all of them, even if they have failed. finish()
  // sums the remaining buckets and waits. Throws the exception of a sum.
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
    bool is_last = false;               // true if the running pass is the last one
    std::vector<int64_t> incomplete{};  // parameters of each bucket
  };
  class Hook;
  // Type in libtorch; the kind of pointer depends on its version.
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
  std::vector<Bucket> buckets_;      // starting at the end of the buffer
  std::vector<size_t> bucket_of_{};  // of each parameter
  std::vector<Worker> workers_;
  std::vector<Hooked> hooked_;  // nodes that add to the gradients of the parameters

  std::mutex mutex_;  // guards the members below and the counts of the workers
  std::condition_variable changed_;
  bool started_ = false;  // true once the thread runs
  size_t summed_ = 0;     // buckets of this update
  bool flushes_ = true;   // true if no further buckets will be completed
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace heed
