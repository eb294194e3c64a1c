// The clock of a training.
#pragma once

#include <chrono>

#include "train/parts.h"

namespace heed {

class SteadyClock final : public Clock {
 public:
  double now() override {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
  }
};

}  // namespace heed
