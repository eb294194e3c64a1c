// Lists in ascending order.
#pragma once

#include <algorithm>
#include <vector>

namespace heed {

// Sorts, and leaves one of equal items.
template <class T>
void sort_unique(std::vector<T>& items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace heed
