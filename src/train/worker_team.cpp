#include "train/worker_team.h"

#include <system_error>
#include <utility>

#include "base/error.h"
#include "nn/worker_threads.h"

namespace heed {

WorkerTeam::WorkerTeam(int64_t size) : members_(size > 1 ? static_cast<size_t>(size) : 0) {
  if (members_.empty()) return;
  const WorkerThreads starting;
  busy_ = members_.size();
  try {
    for (size_t i = 0; i < members_.size(); ++i)
      members_[i].thread = std::thread([this, i] { serve(i); });
  } catch (const std::system_error& error) {
    stop();
    throw_error(ErrorKind::kFailure, "cannot start {} threads ({}); give fewer train.workers",
                members_.size(), error.code().message());
  }
  wait();
}

WorkerTeam::~WorkerTeam() { stop(); }

void WorkerTeam::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (Member& member : members_) {
    if (member.thread.joinable()) member.thread.join();
  }
}

void WorkerTeam::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerTeam::run(const std::function<void(size_t)>& job) {
  if (members_.empty()) return job(0);
  {
    const std::lock_guard lock(mutex_);
    HEED_CHECK(busy_ == 0, "the threads are busy");
    job_ = &job;
    ++round_;
    busy_ = members_.size();
  }
  begin_.notify_all();
  wait();
  std::exception_ptr first;
  for (Member& member : members_) {
    const std::exception_ptr failure = std::exchange(member.failure, nullptr);
    if (!first) first = failure;
  }
  if (first) std::rethrow_exception(first);
}

void WorkerTeam::serve(size_t index) {
  WorkerThreads::enter();
  int64_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (--busy_ == 0) done_.notify_all();
    begin_.wait(lock, [&] { return stopping_ || round_ > served; });
    if (stopping_) return;
    served = round_;
    lock.unlock();
    try {
      (*job_)(index);
    } catch (...) {
      members_[index].failure = std::current_exception();
    }
    lock.lock();
  }
}

}  // namespace heed
