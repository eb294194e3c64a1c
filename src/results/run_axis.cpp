#include "results/run_axis.h"

#include <algorithm>
#include <limits>

namespace heed {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double figure_of(const MetricLine& line, const std::string& name) {
  const auto found = line.figures.find(name);
  return found == line.figures.end() ? kUnknown : found->second;
}

// A piecewise linear function of the update.
struct Knot {
  double update = 0, x = 0;
};

double interpolate(const std::vector<Knot>& knots, double update) {
  if (knots.size() < 2) return kUnknown;
  const auto behind = std::ranges::lower_bound(knots, update, {}, &Knot::update);
  const auto end = std::clamp(behind, knots.begin() + 1, knots.end() - 1);
  const Knot &a = *(end - 1), &b = *end;
  return a.x + (b.x - a.x) * (update - a.update) / (b.update - a.update);
}

std::vector<Knot> token_knots(const std::vector<MetricLine>& lines) {
  std::vector<Knot> knots{{}};
  for (const MetricLine& line : lines) {
    if (line.kind == "train")
      knots.push_back(
          {static_cast<double>(line.update), knots.back().x + figure_of(line, "tokens")});
  }
  return knots;
}

std::vector<Knot> epoch_knots(const std::vector<MetricLine>& lines) {
  std::vector<Knot> knots{{}};
  for (const MetricLine& line : lines) {
    const double ended = figure_of(line, "epoch") - 1;
    if (line.kind == "train" && ended > knots.back().x)
      knots.push_back({static_cast<double>(line.update), ended});
  }
  return knots;
}

}  // namespace

std::vector<std::string> run_axes() { return {"updates", "seconds", "tokens", "epochs"}; }

std::function<double(const MetricLine&)> position_on(const std::string& axis,
                                                     const std::vector<MetricLine>& lines) {
  if (axis == "updates")
    return [](const MetricLine& line) { return static_cast<double>(line.update); };
  if (axis == "seconds") return [](const MetricLine& line) { return figure_of(line, "seconds"); };
  return
      [knots = axis == "tokens" ? token_knots(lines) : epoch_knots(lines)](const MetricLine& line) {
        return interpolate(knots, static_cast<double>(line.update));
      };
}

AxisUnit unit_of(const std::string& axis, double largest) {
  constexpr double kMinute = 60, kHour = 3600, kMillion = 1e6, kMany = 2;
  if (axis == "seconds") {
    if (largest >= kMany * kHour) return {"training time (hours)", kHour};
    if (largest >= kMany * kMinute) return {"training time (minutes)", kMinute};
    return {"training time (seconds)"};
  }
  if (axis != "tokens") return {axis};
  if (largest >= kMany * kMillion) return {"target tokens (millions)", kMillion};
  return {"target tokens"};
}

}  // namespace heed
