// Learning curves of several runs: one panel below the other for each figure, with one horizontal
// axis and one legend. Drawn as a picture and as a page (curve_pictures.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/axis.h"

namespace heed {

// A y that is not finite, or whose absolute value is larger than kLargestDrawn, is a gap in the
// curve. For a mean, a band from y - deviation to y + deviation is drawn behind the curve.
struct CurvePoint {
  double x = 0, y = 0;
  double deviation = 0;
};
inline constexpr double kLargestDrawn = 1e250;

struct Curve {
  size_t run = 0;                  // index of CurveChart::runs
  std::vector<CurvePoint> points;  // by ascending x
};

struct CurvePanel {
  std::string title;  // of the vertical axis, with its unit
  std::vector<Curve> curves;
  double smoothing = 0;  // weight of smoothed()
};

struct CurveChart {
  std::string x_title;
  std::vector<std::string> runs;  // names for the legend
  std::vector<CurvePanel> panels;
  bool log_x = false, log_y = false;
  std::string title{}, note{};  // above all and below all; "": none
  double width = 0;             // in pixels, the height in proportion; 0: as it is drawn
};

// Exponential moving average without bias towards 0: the mean of the values so far, each weighted
// by `weight` to the power of its distance. A weight of 0 leaves the values unchanged. They have to
// be finite.
std::vector<double> smoothed(const std::vector<double>& values, double weight);

// Parts of the curve between gaps. Points that a logarithmic axis cannot show are gaps.
std::vector<std::vector<CurvePoint>> segments_of(const Curve& curve, const CurveChart& chart);

// Axis of all panels, from 0, or from the first point on a logarithmic axis.
Axis x_axis(const CurveChart& chart);
// Axis from the lowest to the highest value, bands included, with room above and below.
Axis y_axis(const CurvePanel& panel, const CurveChart& chart);

// Throws Error(kData) if a panel has no point that can be drawn.
void check_chart(const CurveChart& chart);

}  // namespace heed
