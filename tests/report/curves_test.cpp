// Training curves as numbers, as SVG and as a page.
#include "report/curves.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "base/error.h"
#include "report/curve_pictures.h"
#include "report/well_formed.h"

namespace heed {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

CurveChart chart_of(std::vector<CurvePoint> points) {
  CurveChart chart;
  chart.x_title = "updates";
  chart.runs = {"a"};
  chart.panels = {{"training loss (nats per token)", {{0, std::move(points)}}}};
  return chart;
}

// All texts between `before` and `end`.
std::vector<std::string> all_between(const std::string& text, const std::string& before,
                                     const std::string& end) {
  std::vector<std::string> found;
  for (size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    const size_t start = at + before.size();
    found.push_back(text.substr(start, text.find(end, start) - start));
  }
  return found;
}

// Calculated by hand: (0.5 · 1 + 3) / 1.5, (0.25 · 1 + 0.5 · 3 + 5) / 1.75.
TEST(Curves, SmoothingIsAWeightedMeanWithoutBias) {
  EXPECT_THAT(smoothed({1, 3, 5}, 0.5),
              ElementsAre(DoubleEq(1), DoubleEq(3.5 / 1.5), DoubleEq(6.75 / 1.75)));
  EXPECT_THAT(smoothed({1, 3, 5}, 0), ElementsAre(1, 3, 5));
  EXPECT_THAT(smoothed({2, 2, 2}, 0.9), ElementsAre(DoubleEq(2), DoubleEq(2), DoubleEq(2)));
}

TEST(Curves, ValuesThatAreNotFiniteAreGaps) {
  const CurveChart chart = chart_of({{1, 2}, {2, kGap}, {3, 4}, {4, 5}, {5, kGap}});
  const auto segments = segments_of(chart.panels[0].curves[0], chart);
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[0].size(), 1u);
  EXPECT_EQ(segments[1].size(), 2u);
}

TEST(Curves, LogarithmicAxesHaveOnlyPositiveValues) {
  CurveChart chart = chart_of({{0, 1}, {10, 0}, {20, 4}, {40, 8}});
  EXPECT_EQ(x_axis(chart).low(), 0);
  chart.log_x = chart.log_y = true;
  EXPECT_EQ(segments_of(chart.panels[0].curves[0], chart).size(), 1u);
  EXPECT_EQ(x_axis(chart).low(), 20);
}

TEST(SvgCurves, DrawsEveryPointWhereItLies) {
  const std::string svg = svg_curves(chart_of({{0, 1}, {100, 3}, {200, 2}}));
  const auto points = all_between(svg, "<polyline points=\"", "\"");
  ASSERT_EQ(points.size(), 1u);
  double x[3], y[3];
  ASSERT_EQ(sscanf(points[0].c_str(), "%lf,%lf %lf,%lf %lf,%lf", x, y, x + 1, y + 1, x + 2, y + 2),
            6);
  EXPECT_NEAR(x[1], (x[0] + x[2]) / 2, 0.11);
  EXPECT_NEAR(y[2], (y[0] + y[1]) / 2, 0.11);
  EXPECT_LT(y[1], y[0]) << "larger values are further up";
}

TEST(SvgCurves, HasTitlesTicksAndALegend) {
  const std::string svg = svg_curves(chart_of({{0, 1}, {1000, 3}}));
  for (const char* text : {">updates<", ">training loss (nats per token)<", ">a<", ">1,000<"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(SvgCurves, RunsDifferInColorAndDash) {
  CurveChart chart = chart_of({{1, 1}, {2, 2}});
  for (size_t run = 1; run < 35; ++run) {
    chart.runs.push_back("run " + std::to_string(run));
    chart.panels[0].curves.push_back({run, {{1, 1}, {2, 2}}});
  }
  std::set<std::string> strokes;
  for (const std::string& one : all_between(svg_curves(chart), "<polyline", "stroke-width"))
    strokes.insert(one.substr(one.find("class=")));
  EXPECT_EQ(strokes.size(), 35u);
}

TEST(SvgCurves, ASmoothedCurveLiesOverItsValues) {
  CurveChart chart = chart_of({{1, 1}, {2, 5}});
  EXPECT_EQ(count(svg_curves(chart), "<polyline"), 1u);
  chart.panels[0].smoothing = 0.5;
  EXPECT_EQ(count(svg_curves(chart), "<polyline"), 2u);
}

// The polygon is the upper edge from left to right, then the lower edge back.
TEST(SvgCurves, AMeanHasABandOfItsDeviation) {
  const CurveChart plain = chart_of({{0, 1}, {100, 5}});
  EXPECT_EQ(count(svg_curves(plain), "<polygon"), 0u);
  const std::string svg = svg_curves(chart_of({{0, 2, 1}, {100, 4, 1}}));
  const auto band = all_between(svg, "<polygon points=\"", "\"");
  const auto line = all_between(svg, "<polyline points=\"", "\"");
  ASSERT_EQ(band.size(), 1u);
  double x[4], y[4], at[4];
  ASSERT_EQ(sscanf(band[0].c_str(), "%lf,%lf %lf,%lf %lf,%lf %lf,%lf", x, y, x + 1, y + 1, x + 2,
                   y + 2, x + 3, y + 3),
            8);
  ASSERT_EQ(sscanf(line[0].c_str(), "%lf,%lf %lf,%lf", at, at + 1, at + 2, at + 3), 4);
  EXPECT_EQ(x[0], x[3]);
  EXPECT_EQ(x[1], x[2]);
  EXPECT_NEAR((y[0] + y[3]) / 2, at[1], 0.11) << "the mean lies in its middle";
  EXPECT_NEAR(y[1], y[0] - (y[3] - y[0]), 0.21) << "2 + 1 to 4 + 1: as far as from 1 to 3";
  EXPECT_NEAR(y[2], y[0], 0.11) << "4 - 1 = 2 + 1";
  expect_well_formed(svg);
}

TEST(SvgCurves, ABandThatReachesZeroEndsAtALogarithmicAxis) {
  CurveChart chart = chart_of({{1, 2, 3}, {2, 4, 1}});
  chart.log_y = true;
  const std::string svg = svg_curves(chart);
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
  EXPECT_EQ(count(svg, "<polygon"), 1u);
}

TEST(SvgCurves, ASinglePointIsMarked) {
  EXPECT_EQ(count(svg_curves(chart_of({{1, 1}})), "stroke-linecap=\"round\""), 1u);
}

TEST(SvgCurves, IsWellFormedWhateverTheNamesAre) {
  CurveChart chart = chart_of({{1, 1}, {2, kGap}, {3, 2}});
  chart.runs = {"<b> & \"c\" \x1b\xff"};
  chart.x_title = chart.panels[0].title = "]]> <!-- '&amp;'";
  expect_well_formed(svg_curves(chart));
  EXPECT_THAT(svg_curves(chart), HasSubstr("&lt;b&gt; &amp; &quot;c&quot;"));
  EXPECT_EQ(count(svg_curves(chart), "http"), 1u) << "the name space alone";
}

TEST(SvgCurves, RefusesAPanelWithoutPoints) {
  EXPECT_THROW(svg_curves(chart_of({})), Error);
  EXPECT_THROW(svg_curves(chart_of({{1, kGap}})), Error);
  CurveChart negative = chart_of({{1, -1}});
  EXPECT_NO_THROW(svg_curves(negative));
  negative.log_y = true;
  EXPECT_THROW(svg_curves(negative), Error);
}

TEST(HtmlCurves, HasTheValuesAndLoadsNothing) {
  const std::string page = html_curves("curves of </title>", chart_of({{50, 8.25}, {100, 6.5}}));
  EXPECT_THAT(page, HasSubstr("data-run=\"a\" data-x=\"50 100\" data-y=\"8.25 6.5\""));
  EXPECT_THAT(page, HasSubstr("<title>curves of &lt;/title&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(count(page, "src="), 0u);
  EXPECT_EQ(count(page, "<link"), 0u);
  EXPECT_THAT(svg_curves(chart_of({{50, 8.25}})), Not(HasSubstr("data-x")));
}

}  // namespace
}  // namespace heed
