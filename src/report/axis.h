// An axis of a chart: positions of values, and ticks at round numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed {

struct Tick {
  double value = 0;
  std::string label;
};

class Axis {
 public:
  // Axis from `low` to `high`, both finite, and above 0 on a logarithmic axis. An empty range is
  // widened.
  Axis(double low, double high, bool logarithmic = false);

  double low() const { return low_; }
  double high() const { return high_; }
  // Position of a value: 0 at the low end, 1 at the high end.
  double fraction(double value) const;
  // The same axis with room at both ends, as a fraction of its length.
  Axis padded(double room) const;
  // Ticks at multiples of 1, 2 or 5 times a power of ten; on a logarithmic axis at these numbers
  // themselves. At most `most` + 1 ticks.
  std::vector<Tick> ticks(size_t most) const;

 private:
  std::vector<Tick> linear_ticks(size_t most) const;
  std::vector<Tick> log_ticks(size_t most) const;
  double low_, high_;
  bool logarithmic_;
};

// The next 1, 2 or 5 times a power of ten, at least `distance` (above 0).
double round_step(double distance);
// A multiple of `step`, with as many digits as it needs: "1,500", "0.25", "2e-5".
std::string tick_label(double value, double step);

}  // namespace heed
