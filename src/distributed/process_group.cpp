#include "distributed/process_group.h"

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "distributed/meeting.h"
#include "distributed/nccl.h"

namespace heed {

namespace {

using Store = c10::intrusive_ptr<c10d::Store>;
using Work = c10::intrusive_ptr<c10d::Work>;

// Set by the process group's thread that completes an operation on the host.
class Signal {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

// Waits for the end of an operation. Polls an operation on a GPU, because its future is complete as
// soon as the operation has begun.
class Completion {
 public:
  explicit Completion(const Work& work) : work_(work) {
    const auto future = work->getFuture();
    if (!future->devices().empty()) return;
    signal_ = std::make_shared<Signal>();
    future->addCallback([signal = signal_](c10::ivalue::Future&) { signal->set(); });
  }
  bool wait(std::chrono::milliseconds time) const {
    if (signal_) return signal_->wait(time);
    const auto end = std::chrono::steady_clock::now() + time;
    while (!work_->isCompleted()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return true;
  }

 private:
  Work work_;
  std::shared_ptr<Signal> signal_;
};

class ProcessGroup final : public Reducer {
 public:
  explicit ProcessGroup(const Launch& launch) : ProcessGroup(launch, meet(launch)) {}

  ~ProcessGroup() override {
    const bool failed = broken_ || std::uncaught_exceptions() > 0;
    if (failed) {
      liveness_->leave(true);
      // Leaks the groups: their threads wait for a process that does not answer.
      static_cast<void>(group_.release());
      static_cast<void>(on_gpus_.release());
      static_cast<void>(store_.release());
      return;
    }
    try {
      any(false);  // after this, the store of process 0 is not needed any more
    } catch (const std::exception&) {
      // The other processes have ended.
    }
    liveness_->leave(false);
  }

  int64_t rank() const override { return launch_.rank; }
  int64_t processes() const override { return launch_.processes; }

  using Reducer::sum;
  void sum(const Tensor& flat, SumPrecision precision) override {
    const torch::NoGradGuard no_grad;
    torch::TensorOptions options = exchanged(flat);
    if (precision == SumPrecision::kBf16) options = options.dtype(torch::kBFloat16);
    Tensor all = torch::zeros({processes() * part_size(flat)}, options);
    all.narrow(0, 0, flat.numel()).copy_(flat.view(-1));
    const Tensor rows = exchange(all).view({processes(), -1});
    gather_into(all, sum_of_rows(rows.to(flat.scalar_type())).to(all.scalar_type()));
    flat.view(-1).copy_(all.narrow(0, 0, flat.numel()));
  }

  void gather_parts(const Tensor& flat) override {
    const torch::NoGradGuard no_grad;
    const BufferPart part = part_of(flat.numel(), rank(), processes());
    const Tensor own = torch::zeros({part_size(flat)}, exchanged(flat));
    own.narrow(0, 0, part.size).copy_(flat.view(-1).narrow(0, part.begin, part.size));
    flat.view(-1).copy_(gathered(own).narrow(0, 0, flat.numel()));
  }

  void broadcast(const Tensor& flat) override {
    const torch::NoGradGuard no_grad;
    std::vector<Tensor> tensors = {flat.to(exchanged(flat))};
    finish([&] { return group_of(tensors.front()).broadcast(tensors); });
    if (!tensors.front().is_same(flat)) flat.copy_(tensors.front());
  }

  std::vector<std::string> gather(const std::string& bytes) override {
    const Tensor lengths = gathered(torch::tensor({static_cast<int64_t>(bytes.size())}));  // [P]
    const int64_t longest = lengths.max().item<int64_t>();
    const Tensor own = torch::zeros({longest}, torch::kByte);
    std::copy(bytes.begin(), bytes.end(), static_cast<char*>(own.data_ptr()));
    const Tensor all = gathered(own);  // [P·longest]
    std::vector<std::string> texts;
    for (int64_t r = 0; r < processes(); ++r) {
      const char* begin = static_cast<const char*>(all.const_data_ptr()) + r * longest;
      texts.emplace_back(begin, static_cast<size_t>(lengths[r].item<int64_t>()));
    }
    return texts;
  }

  bool any(bool here) override { return gathered(torch::tensor({here})).any().item<bool>(); }

 private:
  // Options of the tensor that is exchanged in place of `flat`: on the same device with NCCL, else
  // in host memory.
  torch::TensorOptions exchanged(const Tensor& flat) {
    return uses_nccl(flat) ? flat.options() : flat.options().device(torch::kCPU);
  }

  c10d::Backend& group_of(const Tensor& exchanged) {
    return exchanged.is_cuda() ? *on_gpus_ : *group_;
  }

  // NCCL needs a GPU for each process.
  bool uses_nccl(const Tensor& flat) {
    if (!flat.is_cuda()) return false;
    if (!has_own_gpus_) {
      std::vector<std::string> gpus = gather(gpu_of(flat));
      std::ranges::sort(gpus);
      has_own_gpus_ = !gpus.front().empty() && std::ranges::adjacent_find(gpus) == gpus.end();
      if (*has_own_gpus_) on_gpus_ = nccl(store_, rank(), processes(), kCollective);
    }
    return *has_own_gpus_;
  }

  // Size of the part of the first process, which is the largest.
  int64_t part_size(const Tensor& flat) const { return part_of(flat.numel(), 0, processes()).size; }

  // Part r of the result is what process r has in this process's part. [P·n]
  Tensor exchange(Tensor own) {
    Tensor received = torch::empty_like(own);
    std::vector<int64_t> equal;
    finish([&] { return group_of(own).alltoall_base(received, own, equal, equal); });
    return received;
  }

  static Tensor sum_of_rows(const Tensor& rows) {
    Tensor sum = rows[0].clone();
    for (int64_t r = 1; r < rows.size(0); ++r) sum.add_(rows[r]);
    return sum;
  }

  void gather_into(Tensor& all, Tensor own) {
    finish([&] { return group_of(own)._allgather_base(all, own); });
  }

  // [n] of each process -> [P·n]
  Tensor gathered(const Tensor& own) {
    Tensor all = torch::empty({processes() * own.numel()}, own.options());
    gather_into(all, own);
    return all;
  }

  // Waits as long as all processes are alive.
  template <class Start>
  void finish(const Start& start) {
    try {
      const Work work = start();
      const Completion completion(work);
      // Checks twice: a process that was stopped for a while first has to hear from the others.
      for (int found = 0; !completion.wait(std::chrono::seconds(1));) {
        const auto lost = liveness_->lost();
        found = lost ? found + 1 : 0;
        if (found > 1) fail(*lost);
      }
      work->wait();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {  // of c10d or Gloo
      fail_after(error);
    }
  }

  // A connection broke; the name of the lost process becomes known a little later.
  [[noreturn]] void fail_after(const std::exception& error) {
    fail(liveness_->wait_for_lost().value_or("a connection between processes broke: " +
                                             first_line(error.what())));
  }

  [[noreturn]] void fail(const std::string& what) {
    broken_ = true;
    throw_error(ErrorKind::kFailure,
                "process {} of {}: {}; training ends in all processes, and can be resumed from the "
                "last checkpoint (--resume)",
                rank(), processes(), what);
  }

  ProcessGroup(const Launch& launch, JoinedProcesses met)
      : launch_(launch),
        store_(std::move(met.store)),
        group_(std::move(met.group)),
        liveness_(std::move(met.liveness)) {}

  Launch launch_;
  Store store_;
  c10::intrusive_ptr<c10d::Backend> group_, on_gpus_;  // of Gloo, of NCCL
  std::optional<bool> has_own_gpus_;                   // known at the first tensor of a GPU
  std::unique_ptr<Liveness> liveness_;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<Reducer> join_processes(const Launch& launch) {
  if (launch.is_alone()) return std::make_unique<OneProcess>();
  return process_group(launch);
}

std::unique_ptr<Reducer> process_group(const Launch& launch) {
  try {
    return std::make_unique<ProcessGroup>(launch);
  } catch (const std::exception& error) {
    throw_error(ErrorKind::kFailure,
                "process {} of {} cannot join the others at {}:{}: {}; all have to be started, by "
                "{}, with a host and a port that each of them reaches and no other job uses "
                "(MASTER_ADDR, MASTER_PORT)",
                launch.rank, launch.processes, launch.meeting.host, launch.meeting.port,
                first_line(error.what()), launch.launcher);
  }
}

}  // namespace heed
