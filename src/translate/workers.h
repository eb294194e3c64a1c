// Independent batches in several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/engine.h"

namespace heed {

// Groups of at most `size` indices of `lengths`, of similar length, longest first; equal lengths
// keep their order. An index with a length above `longest` forms a separate group; length 0 is in
// no group.
std::vector<std::vector<size_t>> groups_by_length(const std::vector<int64_t>& lengths, int64_t size,
                                                  int64_t longest);

// Calls work(0) … work(count-1), each once, from `workers` threads with one compute thread each; a
// single worker is the calling thread, unchanged. If a call throws, no further call begins, and the
// first exception is thrown here after all threads have ended.
void run_in_workers(int64_t workers, size_t count, const std::function<void(size_t)>& work,
                    const DecodingThreads& threads = DecodingThreads());

}  // namespace heed
