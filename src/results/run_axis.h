// The horizontal axis of learning curves: where the lines of a run's metrics.jsonl lie on it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/run_metrics.h"

namespace heed {

// updates, seconds, tokens (target tokens) and epochs.
std::vector<std::string> run_axes();

// x of a line of this run; NaN: unknown. Only training lines have tokens and epochs: between them,
// x is interpolated over the updates, and epochs between the lines at which a new one begins.
std::function<double(const MetricLine&)> position_on(const std::string& axis,
                                                     const std::vector<MetricLine>& lines);

// The title of an axis with its unit, and the number of which x is divided by, so that the largest x
// is easy to read.
struct AxisUnit {
  std::string title;
  double size = 1;
};
AxisUnit unit_of(const std::string& axis, double largest);

}  // namespace heed
