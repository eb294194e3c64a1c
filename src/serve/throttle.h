// Limits how often a question is asked that needs system calls.
#pragma once

#include <chrono>

namespace heed {

class Throttle {
 public:
  // True at first, and then every 10 ms at most.
  bool is_due() {
    constexpr auto kInterval = std::chrono::milliseconds(10);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + kInterval;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace heed
