#include "nn/worker_threads.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "nn/torch.h"

#include "nn/product.h"

namespace heed {

namespace {

// MKL chooses its kernels of tanh and the like at the first use in the process, without a lock: if
// two threads begin at once, one may see a half-finished choice and use another kernel, which
// rounds differently (seen in 1 of 200 starts).
void let_mkl_choose_kernels() {
  torch::tanh(torch::ones({64}));
  const Tensor one = to_bf16(torch::ones({1, 1}));
  product(one, one);
}

}  // namespace

WorkerThreads::WorkerThreads() : threads_before_(at::get_num_threads()) {
  let_mkl_choose_kernels();
}

// The number of threads that a thread sets is also the initial one of later threads.
WorkerThreads::~WorkerThreads() { at::set_num_threads(threads_before_); }

void WorkerThreads::enter() {
  at::set_num_threads(1);
  at::globalContext().setFlushDenormal(true);
}

}  // namespace heed
