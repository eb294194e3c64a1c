#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace heed {

namespace {

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool can_be_drawn(const CurvePoint& point, const CurveChart& chart) {
  const auto has_room = [](double value, bool logarithmic) {
    return std::abs(value) <= kLargestDrawn && (!logarithmic || value >= 1 / kLargestDrawn);
  };
  return has_room(point.x, chart.log_x) && has_room(point.y, chart.log_y);
}

template <class Add>
void for_each_point(const CurvePanel& panel, const CurveChart& chart, Add add) {
  for (const Curve& curve : panel.curves) {
    for (const CurvePoint& point : curve.points) {
      if (can_be_drawn(point, chart)) add(point);
    }
  }
}

}  // namespace

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
  std::vector<double> result;
  double sum = 0, weights = 0;
  for (const double value : values) {
    sum = weight * sum + value;
    weights = weight * weights + 1;
    result.push_back(sum / weights);
  }
  return result;
}

std::vector<std::vector<CurvePoint>> segments_of(const Curve& curve, const CurveChart& chart) {
  std::vector<std::vector<CurvePoint>> segments;
  bool inside = false;
  for (const CurvePoint& point : curve.points) {
    const bool drawn = can_be_drawn(point, chart);
    if (drawn && !inside) segments.emplace_back();
    if (drawn) segments.back().push_back(point);
    inside = drawn;
  }
  return segments;
}

Axis x_axis(const CurveChart& chart) {
  Extent extent;
  if (!chart.log_x) extent.add(0);
  for (const CurvePanel& panel : chart.panels)
    for_each_point(panel, chart, [&](const CurvePoint& point) { extent.add(point.x); });
  return {extent.low, extent.high, chart.log_x};
}

Axis y_axis(const CurvePanel& panel, const CurveChart& chart) {
  constexpr double kRoom = 0.04;
  Extent extent;
  for_each_point(panel, chart, [&](const CurvePoint& point) {
    extent.add(point.y);
    extent.add(point.y + point.deviation);
    if (!chart.log_y || point.y > point.deviation) extent.add(point.y - point.deviation);
  });
  return Axis(extent.low, extent.high, chart.log_y).padded(kRoom);
}

void check_chart(const CurveChart& chart) {
  for (const CurvePanel& panel : chart.panels) {
    size_t points = 0;
    for_each_point(panel, chart, [&](const CurvePoint&) { ++points; });
    if (points == 0)
      throw_error(ErrorKind::kData, "{}: no value can be drawn{}", panel.title,
                  chart.log_x || chart.log_y ? " on a logarithmic axis" : "");
  }
}

}  // namespace heed
