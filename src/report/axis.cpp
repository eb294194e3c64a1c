#include "report/axis.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr double kRounding = 1e-9;  // of a step; tolerance for a tick at the ends of the range
constexpr int kMostDecimals = 4;    // smaller numbers are written with an exponent
constexpr double kLargest = 1e9;    // larger ones as well

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value)) + kRounding));
}

// A range wide enough that a value and the next tick are different numbers.
std::pair<double, double> widened(double low, double high, bool logarithmic) {
  constexpr double kLeastPart = 1e-9, kLeast = 1e-250;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (high - low > std::max(kLeastPart * largest, logarithmic ? 0 : kLeast)) return {low, high};
  if (logarithmic) return {low / 2, high * 2};
  const double room = largest <= kLeast ? 1 : largest * 0.1;
  return {low - room, high + room};
}

std::string with_exponent(double value, double step) {
  const int exponent = exponent_of(value);
  const int decimals = std::max(0, exponent - exponent_of(step));
  return fmt::format("{:.{}f}e{}", value / std::pow(10, exponent), decimals, exponent);
}

}  // namespace

double round_step(double distance) {
  const double power = std::pow(10, exponent_of(distance));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= distance * (1 - kRounding)) return factor * power;
  }
  return 10 * power;
}

std::string tick_label(double value, double step) {
  if (std::abs(value) < step * kRounding) return "0";
  const int decimals = std::max(0, -exponent_of(step));
  if (decimals > kMostDecimals || std::abs(value) >= kLargest) return with_exponent(value, step);
  if (decimals == 0) return format_count(std::llround(value));
  return fmt::format("{:.{}f}", value, decimals);
}

Axis::Axis(double low, double high, bool logarithmic) : logarithmic_(logarithmic) {
  HEED_CHECK(std::isfinite(low) && std::isfinite(high) && (!logarithmic || low > 0));
  std::tie(low_, high_) = widened(low, high, logarithmic);
}

double Axis::fraction(double value) const {
  if (logarithmic_) return (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
  return (value - low_) / (high_ - low_);
}

Axis Axis::padded(double room) const {
  if (logarithmic_) {
    const double factor = std::exp(room * (std::log(high_) - std::log(low_)));
    return {low_ / factor, high_ * factor, true};
  }
  const double more = (high_ - low_) * room;
  return {low_ - more, high_ + more};
}

std::vector<Tick> Axis::ticks(size_t most) const {
  constexpr size_t kFewest = 2;
  if (logarithmic_) {
    auto ticks = log_ticks(most);
    if (ticks.size() >= kFewest) return ticks;
  }
  return linear_ticks(most);
}

std::vector<Tick> Axis::linear_ticks(size_t most) const {
  const double step = round_step((high_ - low_) / static_cast<double>(most));
  std::vector<Tick> ticks;
  const double last = std::floor(high_ / step + kRounding);
  for (double i = std::ceil(low_ / step - kRounding); i <= last; ++i)
    ticks.push_back({i * step, tick_label(i * step, step)});
  return ticks;
}

// Ticks at powers of ten. If there is room, also at 2 and 5 times the powers; if there are many
// powers, only at each second, third, … of them.
std::vector<Tick> Axis::log_ticks(size_t most) const {
  const int first = exponent_of(low_), last = exponent_of(high_);
  const auto powers = static_cast<size_t>(last - first + 1);
  const int stride = static_cast<int>((powers + most - 1) / most);
  std::vector<double> factors{1};
  if (3 * powers <= most + 3) factors = {1, 2, 5};
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10, exponent);
      const double at = fraction(value);
      if (at > -kRounding && at < 1 + kRounding) ticks.push_back({value, tick_label(value, value)});
    }
  }
  return ticks;
}

}  // namespace heed
