// An axis of a chart: where a value lies on it, and ticks at round numbers.
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
  // From `low` to `high`, both finite; on a logarithmic axis both are above 0. An empty range is
  // widened.
  Axis(double low, double high, bool logarithmic = false);

  double low() const { return low_; }
  double high() const { return high_; }
  // Where a value lies: 0 at the low end, 1 at the high end.
  double fraction(double value) const;
  // The same axis with room at both ends, as a fraction of its length.
  Axis padded(double room) const;
  // At multiples of 1, 2 or 5 times a power of ten, on a logarithmic axis at such numbers
  // themselves; `most` of them, or one more.
  std::vector<Tick> ticks(size_t most) const;

 private:
  std::vector<Tick> linear_ticks(size_t most) const;
  std::vector<Tick> log_ticks(size_t most) const;
  double low_, high_;
  bool logarithmic_;
};

// 1, 2 or 5 times a power of ten, at least `distance` (above 0).
double round_step(double distance);
// A multiple of `step` with the digits that it needs: "1,500", "0.25", "2e-5".
std::string tick_label(double value, double step);

}  // namespace heed
