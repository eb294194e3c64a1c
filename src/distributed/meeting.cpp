#include "distributed/meeting.h"

#define USE_C10D_GLOO  // libtorch is built with it

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.h"
#include "distributed/listening_socket.h"

namespace heed {

namespace {

using Clock = std::chrono::steady_clock;
using Store = c10::intrusive_ptr<c10d::Store>;

constexpr const char* kCount = "count";  // of the processes that have come
constexpr std::chrono::milliseconds kFirstLook{10}, kLastLook{100};
constexpr std::chrono::minutes kStoreTimeout{5};

std::string here_key(int64_t rank) { return "here/" + std::to_string(rank); }

// Connects with a longer time limit than that of the meeting, whose message says more.
Store connect(const Launch& launch, bool serves) {
  const MeetingPoint& meeting = launch.meeting;
  c10d::TCPStoreOptions options;
  options.port = meeting.port;
  options.isServer = serves;
  options.waitWorkers = false;
  options.timeout = std::max<std::chrono::milliseconds>(2 * meeting.patience, kStoreTimeout);
  if (serves) options.masterListenFd = listening_socket(launch);
  auto store = c10::make_intrusive<c10d::TCPStore>(meeting.host, options);
  if (meeting.prefix.empty()) return store;
  return c10::make_intrusive<c10d::PrefixStore>(meeting.prefix, store);
}

// Network device that the other processes connect to: loopback on one host; on several hosts the
// address of the hostname, or of the interface that GLOO_SOCKET_IFNAME names.
std::shared_ptr<gloo::transport::Device> device_of(const Launch& launch) {
  if (launch.local_processes == launch.processes)
    return c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  return interface == nullptr ? c10d::ProcessGroupGloo::createDefaultDevice()
                              : c10d::ProcessGroupGloo::createDeviceForInterface(interface);
}

c10::intrusive_ptr<c10d::Backend> gloo(const Launch& launch, const Store& store,
                                       const std::shared_ptr<gloo::transport::Device>& device) {
  auto options = c10d::ProcessGroupGloo::Options::create(kCollective);
  options->devices = {device};
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, static_cast<int>(launch.rank),
                                                     static_cast<int>(launch.processes), options);
}

// "process 3 has not come", "12 processes (1, 2, 3, …) have not come"
std::string not_come(const std::vector<int64_t>& ranks) {
  constexpr size_t kMost = 8;
  if (ranks.size() == 1) return fmt::format("process {} has not come", ranks.front());
  const auto end = ranks.begin() + static_cast<ptrdiff_t>(std::min(ranks.size(), kMost));
  return fmt::format("{} processes ({}{}) have not come", ranks.size(),
                     fmt::join(ranks.begin(), end, ", "), ranks.size() > kMost ? ", …" : "");
}

// Meets the other processes in a separate thread: requests to a store whose process is stopped, and
// Gloo while it connects, may never return. The thread then outlives the meeting.
class Meeting {
 public:
  explicit Meeting(const Launch& launch) : launch_(launch) {}

  // Runs in the thread.
  void run() {
    try {
      const auto device = device_of(launch_);
      const Store store =
          connect(launch_, launch_.rank == 0 && !launch_.meeting.served_by_launcher);
      auto liveness = std::make_unique<Liveness>(launch_, connect(launch_, false));
      change([&] { met_.store = store, met_.liveness = std::move(liveness); });
      come(*store);
      auto group = gloo(launch_, store, device);
      change([&] { met_.group = std::move(group), ended_ = true; });
    } catch (const std::exception& error) {
      change([&] {
        if (problem_.empty()) problem_ = first_line(error.what());
        ended_ = true;
      });
    }
  }

  JoinedProcesses wait() {
    std::unique_lock lock(mutex_);
    while (!ended_ && problem_.empty()) {
      changed_.wait_for(lock, kLastLook);
      if (!ended_) problem_ = problem_meanwhile();
    }
    if (met_.group) return std::move(met_);
    const std::string cause = this->cause();
    given_up_ = true;
    changed_.wait_for(lock, 10 * kLastLook, [this] { return ended_; });
    throw_error(ErrorKind::kFailure, "{}", cause);
  }

 private:
  template <class Change>
  void change(const Change& what) {
    const std::lock_guard lock(mutex_);
    what();
    progress_ = Clock::now();
    changed_.notify_all();
  }

  // Waits for the others.
  void come(c10d::Store& store) {
    store.set(here_key(launch_.rank), "yes");
    int64_t count = store.add(kCount, 1);
    auto pause = kFirstLook;
    while (count < launch_.processes) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLastLook);
      const int64_t now = store.add(kCount, 0);
      if (now > count) change([&] { missing_.clear(); });
      count = now;
      if (is_late()) look_for_missing(store);
      if (is_given_up()) throw_error(ErrorKind::kFailure, "given up");
    }
    change([&] { missing_.clear(), all_here_ = true; });
  }

  bool is_late() const {
    const std::lock_guard lock(mutex_);
    return Clock::now() - progress_ > launch_.meeting.patience / 2;
  }

  bool is_given_up() const {
    const std::lock_guard lock(mutex_);
    return given_up_;
  }

  // Sends a request for each process, and is therefore called only if processes are late.
  void look_for_missing(c10d::Store& store) {
    std::vector<int64_t> missing;
    for (int64_t rank = 0; rank < launch_.processes; ++rank)
      if (!store.check({here_key(rank)})) missing.push_back(rank);
    const std::lock_guard lock(mutex_);
    missing_ = std::move(missing);
  }

  std::string server() const {
    return launch_.meeting.served_by_launcher ? launch_.launcher : "process 0";
  }

  std::optional<std::string> lost() const {
    return met_.liveness == nullptr ? std::nullopt : met_.liveness->lost();
  }

  // Problem while the thread is still running; empty if there is none.
  std::string problem_meanwhile() const {
    if (const auto name = lost()) return *name;
    if (Clock::now() - progress_ < launch_.meeting.patience) return "";
    if (met_.store == nullptr)
      return launch_.rank == 0 ? "no store could be opened there"
                               : server() + " does not answer there";
    return all_here_ ? "all have come, but no connections between them were made"
                     : "not all have come";
  }

  // Names a lost or missing process if there is one: the errors of a closed store and of a broken
  // connection do not.
  std::string cause() const {
    if (const auto name = lost()) return *name;
    if (!missing_.empty()) {
      const auto waited =
          std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - progress_);
      return fmt::format("{} within {} seconds", not_come(missing_), waited.count());
    }
    if (!ended_ || met_.liveness == nullptr) return problem_;
    return met_.liveness->wait_for_lost().value_or(problem_);
  }

  const Launch launch_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  JoinedProcesses met_{};
  Clock::time_point progress_ = Clock::now();  // when a process last came, or a step was done
  std::vector<int64_t> missing_;               // known once processes are late
  bool all_here_ = false, ended_ = false, given_up_ = false;
  std::string problem_;
};

}  // namespace

JoinedProcesses meet(const Launch& launch) {
  const auto meeting = std::make_shared<Meeting>(launch);
  std::thread([meeting] { meeting->run(); }).detach();
  return meeting->wait();
}

}  // namespace heed
