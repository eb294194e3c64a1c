#include "config/ranges.h"

#include <limits>

#include "base/error.h"

namespace heed {

namespace {

std::string join(const std::string& low, const std::string& high) {
  return low.empty() || high.empty() ? low + high : low + " and " + high;
}

}  // namespace

std::string range_text(const IntRange& range) {
  using Limits = std::numeric_limits<int64_t>;
  const bool has_low = range.low != Limits::min(), has_high = range.high != Limits::max();
  if (has_low && has_high) return fmt::format("from {} to {}", range.low, range.high);
  if (has_low) return fmt::format("at least {}", range.low);
  return has_high ? fmt::format("at most {}", range.high) : "";
}

std::string range_text(const Range& range) {
  const bool has_low = range.low != kAnyNumber.low, has_high = range.high != kAnyNumber.high;
  if (has_low && has_high && !range.open_low && !range.open_high) {
    return fmt::format("from {} to {}", range.low, range.high);
  }
  return join(
      has_low ? fmt::format("{} {}", range.open_low ? "above" : "at least", range.low) : "",
      has_high ? fmt::format("{} {}", range.open_high ? "below" : "at most", range.high) : "");
}

bool contains(const IntRange& range, int64_t value) {
  return value >= range.low && value <= range.high;
}

bool contains(const Range& range, double value) {
  return (range.open_low ? value > range.low : value >= range.low) &&
         (range.open_high ? value < range.high : value <= range.high);
}

}  // namespace heed
