// Progress of work on many lines, drawn on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace heed {

class LineProgress {
 public:
  // verb: "translated"; total: number of lines, if known
  LineProgress(std::string verb, std::optional<int64_t> total);
  ~LineProgress();
  // Counts `lines` more lines as done. Thread-safe.
  void add(int64_t lines);

 private:
  const std::string verb_;
  const std::optional<int64_t> total_;
  const std::chrono::steady_clock::time_point start_;
  std::mutex mutex_;  // guards the members below
  int64_t done_ = 0;
  double drawn_ = 0;  // seconds after the start
};

// "translated 1,200 of 29,000 lines, 85 lines/s, 5m 27s left"
std::string line_progress(const std::string& verb, int64_t done, std::optional<int64_t> total,
                          double seconds);

}  // namespace heed
