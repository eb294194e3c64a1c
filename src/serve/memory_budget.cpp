#include "serve/memory_budget.h"

namespace heed {

bool MemoryBudget::take(int64_t bytes, int64_t most) {
  int64_t used = used_;
  do {
    if (bytes > most - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  return true;
}

bool MemoryShare::take(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > own_ - bytes_ || !budget_.take(bytes, all_)) return false;
  bytes_ += bytes;
  return true;
}

void MemoryShare::give_back(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ -= bytes;
  budget_.give_back(bytes);
}

int64_t MemoryShare::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace heed
