#include "inference/target_memory.h"

#include <algorithm>
#include <utility>

namespace heed {

void TargetMemory::extend() {
  provide(rows());
  for (auto& path : paths_) {
    path.push_back(free_.back());
    free_.pop_back();
  }
}

void TargetMemory::gather(const std::vector<int64_t>& rows) {
  std::vector<std::vector<int32_t>> paths;
  paths.reserve(rows.size());
  for (const int64_t row : rows) paths.push_back(paths_[row]);
  paths_ = std::move(paths);
}

void TargetMemory::join(const TargetMemory& more) {
  int64_t tokens = 0;
  for (const auto& path : more.paths_) tokens += std::ssize(path);
  provide(tokens);
  std::vector<int32_t> moved(static_cast<size_t>(more.slots_), -1);
  for (std::vector<int32_t> path : more.paths_) {
    for (int32_t& slot : path) {
      int32_t& own = moved[slot];
      if (own < 0) {
        own = free_.back();
        free_.pop_back();
        copy(more, slot, own);
      }
      slot = own;
    }
    paths_.push_back(std::move(path));
  }
}

// Makes `count` slots free at least.
void TargetMemory::provide(int64_t count) {
  if (std::ssize(free_) >= count) return;
  find_free();
  const int64_t used = slots_ - std::ssize(free_);
  if (std::ssize(free_) < count) grow(std::max(used + count, slots_ + slots_ / 4));
}

void TargetMemory::find_free() {
  std::vector<bool> used(static_cast<size_t>(slots_), false);
  for (const auto& path : paths_) {
    for (const int32_t slot : path) used[slot] = true;
  }
  free_.clear();
  for (int64_t slot = slots_ - 1; slot >= 0; --slot) {
    if (!used[slot]) free_.push_back(static_cast<int32_t>(slot));
  }
}

void TargetMemory::grow(int64_t slots) {
  for (size_t layer = 0; layer < widths_.size(); ++layer) {
    keys_[layer].resize(slots * widths_[layer].keys);
    values_[layer].resize(slots * widths_[layer].values);
  }
  std::vector<int32_t> added;
  for (int64_t slot = slots - 1; slot >= slots_; --slot)
    added.push_back(static_cast<int32_t>(slot));
  free_.insert(free_.begin(), added.begin(), added.end());
  slots_ = slots;
}

void TargetMemory::copy(const TargetMemory& more, int32_t from, int32_t to) {
  for (size_t layer = 0; layer < widths_.size(); ++layer) {
    const auto [keys, values] = widths_[layer];
    keys_[layer].copy(to * keys, more.keys_[layer], from * keys, keys);
    values_[layer].copy(to * values, more.values_[layer], from * values, values);
  }
}

}  // namespace heed
