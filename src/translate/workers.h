// Work on batches that do not touch each other, in several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace heed {

// Groups of at most `size` of the indices of `lengths`, alike in length, longest first; of equal
// length in their order. What is longer than `longest` has a group to itself, and what has length 0
// is in none.
std::vector<std::vector<size_t>> groups_by_length(const std::vector<int64_t>& lengths, int64_t size,
                                                  int64_t longest);

// Calls work(0) … work(count-1), each once, from `workers` threads with one compute thread each;
// one worker: in this thread as it is. If a call throws, no further one is begun, and the first
// exception is thrown here once all threads have ended.
void run_in_workers(int64_t workers, size_t count, const std::function<void(size_t)>& work);

}  // namespace heed
