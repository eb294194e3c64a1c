#include "base/line_progress.h"

#include <algorithm>

#include "base/log.h"

namespace heed {

namespace {

constexpr double kRedrawSeconds = 0.25;

}  // namespace

LineProgress::LineProgress(std::string verb, std::optional<int64_t> total)
    : verb_(std::move(verb)), total_(total), start_(std::chrono::steady_clock::now()) {}

LineProgress::~LineProgress() { end_progress(); }

void LineProgress::add(int64_t lines) {
  const std::lock_guard lock(mutex_);
  done_ += lines;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (seconds - drawn_ < kRedrawSeconds) return;
  drawn_ = seconds;
  show_progress(line_progress(verb_, done_, total_, seconds));
}

std::string line_progress(const std::string& verb, int64_t done, std::optional<int64_t> total,
                          double seconds) {
  const double speed = static_cast<double>(done) / std::max(seconds, 1e-3);
  std::string line = fmt::format("{} {}", verb, format_count(done));
  if (total) line += fmt::format(" of {}", format_count(*total));
  line += fmt::format(" lines, {} lines/s", format_count(static_cast<int64_t>(speed)));
  if (total && done > 0) {
    const auto left = static_cast<double>(std::max<int64_t>(*total - done, 0));
    line += fmt::format(", {} left", format_duration(left / speed));
  }
  return line;
}

}  // namespace heed
