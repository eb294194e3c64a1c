#include "distributed/liveness.h"

#include "nn/torch.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/host.h"

namespace heed {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLost = "lost";  // what process 0 found, for all

std::string key(const char* name, int64_t rank) { return fmt::format("{}/{}", name, rank); }
std::string beat_key(int64_t rank) { return key("beat", rank); }
std::string name_key(int64_t rank) { return key("name", rank); }
std::string end_key(int64_t rank) { return key("end", rank); }

constexpr std::chrono::milliseconds kBeat{2000};         // between two signs of life
constexpr std::chrono::milliseconds kPatience{30'000};   // without one a process counts as lost
constexpr std::chrono::milliseconds kHeard = 2 * kBeat;  // after which all have read a message
constexpr int kFailures = 2;  // of requests in a row, after which the store counts as gone

constexpr const char* kDone = "done";
constexpr const char* kFailed = "failed";

std::string own_name() {
  return fmt::format("host {}, pid {}", host_name().value_or("unknown"), getpid());
}

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

class Liveness::Watch {
 public:
  Watch(const Launch& launch, c10::intrusive_ptr<c10d::Store> store)
      : launch_(launch), store_(std::move(store)) {
    store_->set(name_key(launch_.rank), own_name());
    store_->add(beat_key(launch_.rank), 1);
    keeper_ = launch_.meeting.served_by_launcher
                  ? "the store of " + launch_.launcher
                  : "process 0 (" + store_->get_to_str(name_key(0)) + ")";
  }

  // Runs in a separate thread until stop().
  void run() {
    int failures = 0;
    while (!wait_to_stop(kBeat)) {
      try {
        store_->add(beat_key(launch_.rank), 1);
        look();
        failures = 0;
        const std::lock_guard lock(mutex_);
        answered_ = Clock::now();
      } catch (const std::exception&) {
        if (++failures == kFailures) tell(keeper_ + " cannot be reached: it ended or was killed");
      }
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  // Returns true if the thread ended. The thread cannot end while the store does not answer.
  bool stop() {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    return changed_.wait_for(lock, kBeat, [this] { return ended_; });
  }

  void say_end(bool failed) { store_->set(end_key(launch_.rank), failed ? kFailed : kDone); }

  std::optional<std::string> lost() const {
    const std::lock_guard lock(mutex_);
    if (lost_) return lost_;
    const auto silent = Clock::now() - answered_;
    if (silent < kPatience) return std::nullopt;
    return fmt::format("{} has not answered for {:.0f} seconds", keeper_, seconds(silent));
  }

 private:
  // Last change of the counter of a process.
  struct Pulse {
    std::string count;
    Clock::time_point moved = Clock::now();
    bool ended = false;
  };

  bool wait_to_stop(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return stopping_; });
  }

  void look() {
    if (store_->check({kLost})) return tell(store_->get_to_str(kLost));
    const auto now = Clock::now();
    // This process itself was stopped for a while and could not see the others.
    if (now - looked_ > kPatience / 2) pulses_.clear();
    looked_ = now;
    const bool first = launch_.rank == 0;
    for (int64_t rank = first ? 1 : 0; rank < (first ? launch_.processes : 1); ++rank) {
      if (store_->check({beat_key(rank), name_key(rank)})) look_at(rank, pulses_[rank]);
    }
  }

  void look_at(int64_t rank, Pulse& pulse) {
    if (pulse.ended) return;
    if (store_->check({end_key(rank)})) {
      pulse.ended = true;
      if (store_->get_to_str(end_key(rank)) == kFailed)
        report(rank, "ended with an error, which it logs");
      return;
    }
    const std::string count = store_->get_to_str(beat_key(rank));
    if (count != pulse.count) pulse = {.count = count, .moved = looked_};
    if (looked_ - pulse.moved < kPatience) return;
    report(rank, fmt::format("has not responded for {:.0f} seconds: it was killed, hangs, or "
                             "its host cannot be reached",
                             seconds(looked_ - pulse.moved)));
  }

  // Reports the first process that is lost; others only fail because of it.
  void report(int64_t rank, const std::string& what) {
    if (lost()) return;
    const std::string message =
        fmt::format("process {} ({}) {}", rank, store_->get_to_str(name_key(rank)), what);
    store_->set(kLost, message);
    wait_to_stop(kHeard);  // this process may have the store, and ends when it is told
    tell(message);
  }

  void tell(const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (!lost_) lost_ = message;
  }

  const Launch launch_;
  const c10::intrusive_ptr<c10d::Store> store_;
  std::string keeper_;  // of the store
  std::map<int64_t, Pulse> pulses_;
  Clock::time_point looked_ = Clock::now();

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Clock::time_point answered_ = Clock::now();
  std::optional<std::string> lost_;
  bool stopping_ = false, ended_ = false;
};

Liveness::Liveness(const Launch& launch, c10::intrusive_ptr<c10d::Store> store)
    : watch_(std::make_shared<Watch>(launch, std::move(store))) {
  std::thread([watch = watch_] { watch->run(); }).detach();
}

void Liveness::leave(bool failed) {
  if (watch_ == nullptr) return;
  const bool answers = watch_->stop();
  try {
    if (answers) watch_->say_end(failed);
  } catch (const std::exception&) {
    // No process listens any more.
  }
  watch_.reset();
}

Liveness::~Liveness() { leave(true); }

std::optional<std::string> Liveness::lost() const { return watch_->lost(); }

std::optional<std::string> Liveness::wait_for_lost() const {
  const auto end = Clock::now() + kPatience + kHeard + 4 * kBeat;
  while (Clock::now() < end) {
    if (auto message = lost()) return message;
    std::this_thread::sleep_for(kBeat / 10);
  }
  return std::nullopt;
}

}  // namespace heed
