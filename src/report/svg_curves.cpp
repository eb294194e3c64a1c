#include "report/curve_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "report/attention_map.h"
#include "report/markup.h"

namespace heed {

namespace {

// All lengths are in pixels.
constexpr double kWidth = 640, kEdge = 12, kFont = 13, kLabelGap = 7, kTickLength = 5;
constexpr double kPanelHeight = 230, kBetweenPanels = 22, kTitleWidth = 22;
constexpr double kLegendLine = 20, kSample = 34, kLegendGap = 20;
constexpr double kLineWidth = 1.8, kMarker = 5.5;
constexpr double kBelowAxis = 42;   // tick labels and title of the horizontal axis
constexpr size_t kWidestName = 60;  // terminal columns
constexpr size_t kFewPoints = 20;   // if no curve has more, each point is marked
constexpr size_t kMostTicksY = 8;
constexpr double kTickSpace = 2.2;  // of a label of the horizontal axis, in its widths

// Colors of Okabe and Ito (2008), without the yellow, which is too light for lines on white.
constexpr std::array<const char*, 7> kRunColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#333333"};
// The number of dashes differs from that of colors, so that 35 runs look different.
constexpr std::array<const char*, 5> kDashes{"", "7 3", "2 2.5", "9 3 2 3", "14 4"};

std::string name_of(const std::string& run) { return label_of(run, kWidestName); }

// class, colour and dash of a run, as attributes.
std::string stroke_of(size_t run) {
  const char* dash = kDashes[run % kDashes.size()];
  return fmt::format("class=\"c{0}\" stroke=\"{1}\"{2}", run % kRunColours.size(),
                     kRunColours[run % kRunColours.size()],
                     *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

// Positions of the plots and of the legend's entries.
struct Layout {
  double left = 0, right = 0, top = 0, height = 0;
  std::vector<CurvePoint> legend{};  // left ends of the samples, in the order of the runs
  Axis x;
  double panel_top(size_t panel) const {
    return top + static_cast<double>(panel) * (kPanelHeight + kBetweenPanels);
  }
  double at(double value) const { return left + (right - left) * x.fraction(value); }
};

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, kFont));
  return width;
}

// Arranges the legend in as many columns as fit.
void lay_out_legend(const CurveChart& chart, Layout& layout) {
  double widest_name = 0;
  for (const std::string& run : chart.runs)
    widest_name = std::max(widest_name, text_width(name_of(run), kFont));
  const double column = kSample + kLabelGap + widest_name + kLegendGap;
  const double room = layout.right - layout.left + kLegendGap;
  const size_t columns = std::max<size_t>(1, static_cast<size_t>(room / column));
  for (size_t run = 0; run < chart.runs.size(); ++run) {
    const size_t line = run / columns;
    layout.legend.push_back({layout.left + static_cast<double>(run % columns) * column,
                             layout.top + kLegendLine * (static_cast<double>(line) + 0.5)});
  }
  layout.top = layout.legend.back().y + kLegendLine;
}

Layout lay_out(const CurveChart& chart) {
  Layout layout{.x = x_axis(chart)};
  double labels = 0;
  for (const CurvePanel& panel : chart.panels)
    labels = std::max(labels, widest(y_axis(panel, chart).ticks(kMostTicksY)));
  layout.left = kEdge + kTitleWidth + labels + kLabelGap;
  layout.right = kWidth - 2 * kEdge;
  layout.top = kEdge + (chart.title.empty() ? 0 : kLegendLine);
  lay_out_legend(chart, layout);
  layout.height = layout.panel_top(chart.panels.size() - 1) + kPanelHeight + kBelowAxis + kEdge +
                  (chart.note.empty() ? 0 : kLegendLine);
  return layout;
}

// Returns as many ticks as fit.
std::vector<Tick> x_ticks(const Layout& layout) {
  constexpr size_t kMost = 9, kFewest = 2;
  for (size_t most = kMost; most > kFewest; --most) {
    auto ticks = layout.x.ticks(most);
    const double room = (layout.right - layout.left) / static_cast<double>(most);
    if (widest(ticks) * kTickSpace / 2 < room) return ticks;
  }
  return layout.x.ticks(kFewest);
}

std::string legend(const CurveChart& chart, const Layout& layout) {
  std::string text;
  for (size_t run = 0; run < chart.runs.size(); ++run) {
    const double x = layout.legend[run].x, y = layout.legend[run].y;
    text += fmt::format(
        "<path d=\"M{:.1f},{:.1f}h{}\" {} stroke-width=\"{}\" fill=\"none\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, y, kSample, stroke_of(run), kLineWidth, x + kSample + kLabelGap, y + kFont * 0.35,
        escape_markup(name_of(chart.runs[run])));
  }
  return "<g>\n" + text + "</g>\n";
}

// Grid lines of a panel; only the last panel gets the labels of the horizontal axis.
std::string vertical_lines(const Layout& layout, double top, bool labelled) {
  std::string path, labels;
  for (const Tick& tick : x_ticks(layout)) {
    const double x = layout.at(tick.value);
    path += fmt::format("M{:.1f},{:.1f}v{:.1f}", x, top, kPanelHeight + kTickLength);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x,
                          top + kPanelHeight + kTickLength + kFont + 1, tick.label);
  }
  return fmt::format("<path class=\"grid\" d=\"{}\" stroke=\"#ddd\" stroke-width=\"0.8\"/>\n",
                     path) +
         (labelled ? "<g text-anchor=\"middle\">\n" + labels + "</g>\n" : "");
}

std::string horizontal_lines(const Layout& layout, const Axis& y, double top) {
  std::string path, labels;
  for (const Tick& tick : y.ticks(kMostTicksY)) {
    const double at = top + kPanelHeight * (1 - y.fraction(tick.value));
    path += fmt::format("M{:.1f},{:.1f}h{:.1f}", layout.left - kTickLength, at,
                        layout.right - layout.left + kTickLength);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", layout.left - kLabelGap,
                          at + kFont * 0.35, tick.label);
  }
  return fmt::format("<path class=\"grid\" d=\"{}\" stroke=\"#ddd\" stroke-width=\"0.8\"/>\n",
                     path) +
         "<g text-anchor=\"end\">\n" + labels + "</g>\n";
}

std::string frame(const Layout& layout, const std::string& title, double top) {
  return fmt::format(
      "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" "
      "fill=\"none\" stroke=\"#888\" stroke-width=\"0.8\" pointer-events=\"all\"/>\n"
      "<text transform=\"translate({:.1f},{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      layout.left, top, layout.right - layout.left, kPanelHeight, kEdge + kFont,
      top + kPanelHeight / 2, escape_markup(title));
}

// Values that html_curves() shows for each point: the original ones, not the smoothed curve.
std::string values_of(const std::vector<CurvePoint>& segment, const std::string& run) {
  std::string x, y;
  for (const CurvePoint& point : segment) {
    x += fmt::format("{}{:.6g}", x.empty() ? "" : " ", point.x);
    y += fmt::format("{}{:.6g}", y.empty() ? "" : " ", point.y);
    if (point.deviation > 0) y += fmt::format("±{:.2g}", point.deviation);
  }
  return fmt::format(" data-run=\"{}\" data-x=\"{}\" data-y=\"{}\"", escape_markup(name_of(run)), x,
                     y);
}

class PanelDrawing {
 public:
  PanelDrawing(const CurveChart& chart, const Layout& layout, size_t panel, bool with_values)
      : chart_(chart),
        layout_(layout),
        panel_(chart.panels[panel]),
        y_(y_axis(panel_, chart)),
        top_(layout.panel_top(panel)),
        with_values_(with_values),
        is_last_(panel + 1 == chart.panels.size()),
        has_marks_(std::ranges::all_of(
            panel_.curves, [](const Curve& curve) { return curve.points.size() <= kFewPoints; })) {}

  std::string draw() const {
    std::string text = "<g class=\"panel\">\n" + vertical_lines(layout_, top_, is_last_) +
                       horizontal_lines(layout_, y_, top_) + frame(layout_, panel_.title, top_);
    for (const Curve& curve : panel_.curves) text += draw(curve);
    return text + "</g>\n";
  }

 private:
  std::string draw(const Curve& curve) const {
    std::string text;
    for (const auto& segment : segments_of(curve, chart_)) text += band(curve, segment);
    for (const auto& segment : segments_of(curve, chart_)) {
      std::vector<double> ys;
      for (const CurvePoint& point : segment) ys.push_back(point.y);
      const auto smooth = smoothed(ys, panel_.smoothing);
      if (panel_.smoothing > 0) text += line(curve, segment, ys, "stroke-opacity=\"0.3\"");
      text += line(curve, segment, smooth,
                   with_values_ ? values_of(segment, chart_.runs[curve.run]) : "");
      if (has_marks_ || segment.size() == 1) text += marks(curve, segment, smooth);
    }
    return text;
  }

  std::string at(double x, double y) const {
    return fmt::format("{:.1f},{:.1f}", layout_.at(x), top_ + kPanelHeight * (1 - y_.fraction(y)));
  }

  std::string line(const Curve& curve, const std::vector<CurvePoint>& segment,
                   const std::vector<double>& ys, const std::string& attributes) const {
    std::string points;
    for (size_t i = 0; i < segment.size(); ++i)
      points += (i > 0 ? " " : "") + at(segment[i].x, ys[i]);
    return fmt::format(
        "<polyline points=\"{}\" {} stroke-width=\"{}\" stroke-linejoin=\"round\" fill=\"none\" "
        "{}/>\n",
        points, stroke_of(curve.run), kLineWidth, attributes);
  }

  // A polygon: the upper edge to the right, and back along the lower edge.
  std::string band(const Curve& curve, const std::vector<CurvePoint>& segment) const {
    std::vector<double> ys, deviations;
    for (const CurvePoint& point : segment) {
      ys.push_back(point.y);
      deviations.push_back(point.deviation);
    }
    if (std::ranges::max(deviations) == 0) return "";
    ys = smoothed(ys, panel_.smoothing);
    deviations = smoothed(deviations, panel_.smoothing);
    std::string upper, lower;
    for (size_t i = 0; i < segment.size(); ++i) {
      const double low = std::max(ys[i] - deviations[i], y_.low());  // for a logarithmic axis
      upper += at(segment[i].x, ys[i] + deviations[i]) + " ";
      lower.insert(0, " " + at(segment[i].x, low));
    }
    const size_t colour = curve.run % kRunColours.size();
    return fmt::format("<polygon points=\"{}\" class=\"b{}\" fill=\"{}\" fill-opacity=\"0.2\"/>\n",
                       upper + lower.substr(1), colour, kRunColours[colour]);
  }

  // Lines of length 0 with round ends.
  std::string marks(const Curve& curve, const std::vector<CurvePoint>& segment,
                    const std::vector<double>& ys) const {
    std::string path;
    for (size_t i = 0; i < segment.size(); ++i) path += "M" + at(segment[i].x, ys[i]) + "h0";
    return fmt::format(
        "<path d=\"{}\" class=\"c{}\" stroke=\"{}\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\"/>\n",
        path, curve.run % kRunColours.size(), kRunColours[curve.run % kRunColours.size()], kMarker);
  }

  const CurveChart& chart_;
  const Layout& layout_;
  const CurvePanel& panel_;
  Axis y_;
  double top_;
  bool with_values_, is_last_, has_marks_;
};

std::string line_of_text(double x, double y, const char* attributes, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\"{}>{}</text>\n", x, y,
                     attributes, escape_markup(text));
}

std::string draw(const CurveChart& chart, bool with_values) {
  check_chart(chart);
  const Layout layout = lay_out(chart);
  const double middle = (layout.left + layout.right) / 2;
  const double below = layout.height - kEdge;
  std::string text = open_svg(kWidth, layout.height, kFont,
                              chart.title.empty() ? "learning curves" : chart.title, chart.width) +
                     line_of_text(middle, kEdge + kFont, " font-weight=\"bold\"", chart.title) +
                     legend(chart, layout);
  for (size_t panel = 0; panel < chart.panels.size(); ++panel)
    text += PanelDrawing(chart, layout, panel, with_values).draw();
  return text +
         line_of_text(middle, below - (chart.note.empty() ? 0 : kLegendLine), "", chart.x_title) +
         line_of_text(middle, below, " font-size=\"11\"", chart.note) + "</svg>\n";
}

}  // namespace

std::string svg_curves(const CurveChart& chart) { return draw(chart, false); }

std::string svg_curves_with_values(const CurveChart& chart) { return draw(chart, true); }

}  // namespace heed
