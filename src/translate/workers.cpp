#include "translate/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>

namespace heed {

std::vector<std::vector<size_t>> groups_by_length(const std::vector<int64_t>& lengths, int64_t size,
                                                  int64_t longest) {
  std::vector<size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](size_t i) { return lengths[i] == 0; });
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lengths[a] > lengths[b]; });
  std::vector<std::vector<size_t>> groups;
  for (const size_t i : order) {
    const bool is_full = groups.empty() || groups.back().size() == static_cast<size_t>(size) ||
                         lengths[groups.back().front()] > longest;
    if (is_full) groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}

void run_in_workers(int64_t workers, size_t count, const std::function<void(size_t)>& work,
                    const DecodingThreads& threads_of_engine) {
  if (workers <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      threads_of_engine.enter();
      for (size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  const size_t needed = std::min(static_cast<size_t>(workers), count);
  try {
    for (size_t i = 0; i < needed; ++i) threads.emplace_back(run);
  } catch (const std::system_error&) {
    // The system allows no more threads: the existing ones do all the work.
    if (threads.empty()) throw;
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace heed
