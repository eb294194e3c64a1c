// Requests that fail, in the log of the server.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "request/http_error.h"

namespace heed {

// Limits the lines of a log: a flood of requests must not fill a disk.
class LineLimit {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kLines = 20;  // in a minute
  // The number of lines that were left out since the last one was written; nullopt: this line is
  // left out as well.
  std::optional<int64_t> take(Clock::time_point now);

 private:
  std::mutex mutex_;
  std::optional<Clock::time_point> begun_;  // the minute
  int written_ = 0;                         // in it
  int64_t left_out_ = 0;
};

class FailureLog {
 public:
  // Status 500 is an error, other 5xx are warnings, within the limit; all others have level debug.
  void add(const std::string& path, const HttpError& error);

 private:
  LineLimit limit_;
};

}  // namespace heed
