// Memory that all requests share. Who needs some takes it first, and is refused if there is none left:
// requests are then answered with an error, and the process does not run out of memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace heed {

class MemoryBudget {
 public:
  explicit MemoryBudget(double bytes) : bytes_(static_cast<int64_t>(bytes)) {}
  int64_t bytes() const { return bytes_; }
  int64_t used() const { return used_; }

 private:
  friend class MemoryShare;
  // False: all holders together would have more than `most`.
  bool take(int64_t bytes, int64_t most);
  void give_back(int64_t bytes) { used_ -= bytes; }

  const int64_t bytes_;
  std::atomic<int64_t> used_ = 0;
};

// The part of a budget that one holder has, until it is destroyed. Any thread may call it.
class MemoryShare {
 public:
  // own: the most that this holder may have. all: part of the budget that must not be exceeded by it
  // and the others; the rest is for holders that may have more.
  MemoryShare(MemoryBudget& budget, int64_t own, double all = 1)
      : budget_(budget),
        own_(own),
        all_(static_cast<int64_t>(static_cast<double>(budget.bytes()) * all)) {}
  ~MemoryShare() { budget_.give_back(bytes_); }
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  // False: nothing was taken.
  bool take(int64_t bytes);
  void give_back(int64_t bytes);
  int64_t bytes() const;
  // The most that it can have if nobody else has anything.
  int64_t most() const { return own_ < all_ ? own_ : all_; }

 private:
  MemoryBudget& budget_;
  const int64_t own_, all_;
  mutable std::mutex mutex_;
  int64_t bytes_ = 0;
};

}  // namespace heed
