#include "results/learning_curves.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "metric/registry.h"
#include "report/curve_pictures.h"
#include "report/pictures.h"
#include "results/run_axis.h"
#include "results/run_group.h"
#include "results/run_metrics.h"

namespace heed {

namespace {

// "train.loss"
struct Figure {
  std::string kind, name;
  bool operator==(const Figure&) const = default;
  std::string full_name() const { return kind + "." + name; }
};

struct Run {
  std::string path;
  std::vector<MetricLine> lines;
};

void add_once(std::vector<Figure>& figures, const Figure& figure) {
  if (std::ranges::find(figures, figure) == figures.end()) figures.push_back(figure);
}

bool has(const Run& run, const Figure& figure) {
  return std::ranges::any_of(run.lines, [&](const MetricLine& line) {
    return line.kind == figure.kind && line.figures.contains(figure.name);
  });
}

std::vector<Run> read_runs(const std::vector<std::string>& paths) {
  std::vector<Run> runs;
  for (const std::string& path : paths) {
    runs.push_back({path, read_metrics(path)});
    if (runs.back().lines.empty()) spdlog::warn("{}: metrics.jsonl has no lines yet", path);
  }
  return runs;
}

// Every figure of training and validation.
std::vector<Figure> all_figures(const std::vector<Run>& runs) {
  std::vector<Figure> figures;
  for (const char* kind : {"train", "validation"}) {
    for (const Run& run : runs) {
      for (const MetricLine& line : run.lines) {
        if (line.kind != kind) continue;
        for (const auto& [name, unused] : line.figures) add_once(figures, {kind, name});
      }
    }
  }
  if (figures.empty())
    throw_error(ErrorKind::kData, "{}: no line of training or validation in metrics.jsonl yet",
                runs.front().path);
  return figures;
}

[[noreturn]] void refuse_metric(const std::string& name, const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Figure& figure : figures) names.push_back(figure.full_name());
  throw_error(ErrorKind::kUsage, "--metric {}: no run has it{}; there are {}", name,
              did_you_mean(name, names), fmt::join(names, ", "));
}

std::vector<Figure> named_figures(const std::vector<std::string>& names,
                                  const std::vector<Figure>& all) {
  std::vector<Figure> chosen;
  for (const std::string& name : names) {
    bool found = false;
    const std::string wanted = lower_case(name);  // as `heed evaluate` takes metrics
    for (const Figure& figure : all) {
      if (wanted != lower_case(figure.full_name()) && wanted != lower_case(figure.name)) continue;
      add_once(chosen, figure);
      found = true;
    }
    if (!found) refuse_metric(name, all);
  }
  return chosen;
}

std::vector<Figure> default_figures(const std::vector<Run>& runs, const std::vector<Figure>& all) {
  std::vector<Figure> chosen;
  const auto add = [&](const Figure& figure) {
    if (std::ranges::find(all, figure) != all.end()) add_once(chosen, figure);
  };
  add({"train", "loss"});
  for (const Run& run : runs)
    add({"validation", setting_of(read_settings(run.path), "train.validate.metric")});
  return chosen.empty() ? std::vector{all.front()} : chosen;
}

// A figure of metrics.jsonl as the title of an axis, with its unit.
std::string title_of(const Figure& figure) {
  static const std::map<std::string, std::string> titles = {
      {"loss", "loss (nats per token)"},
      {"negative_log_probability", "negative log-probability (nats)"},
      {"accuracy", "accuracy (fraction of tokens)"},
      {"rate", "learning rate"},
      {"gradient_norm", "gradient norm"},
      {"tokens", "target tokens per log line"},
      {"source_tokens", "source tokens per log line"},
      {"examples", "examples per log line"},
      {"skipped", "skipped updates"},
      {"tokens_per_second", "speed (target tokens/s)"},
      {"seconds", "time (s)"}};
  const std::string kind = figure.kind == "train" ? "training " : figure.kind + " ";
  static const std::set<std::string> of_training = {"rate", "gradient_norm", "skipped"};
  const auto found = titles.find(figure.name);
  if (found != titles.end()) return (of_training.contains(figure.name) ? "" : kind) + found->second;
  const std::vector<std::string> metrics = single_metric_names();
  if (std::ranges::count(metrics, figure.name) > 0)
    return kind + make_metric(figure.name)->name() + " (%)";
  std::string words = figure.name;
  std::ranges::replace(words, '_', ' ');
  return kind + words;
}

// Runs that are one curve, and its name.
struct CurveOfRuns {
  std::string name;
  std::vector<const Run*> runs;  // one at least
};

// Points of the runs at each update.
using PointsByUpdate = std::map<int64_t, std::vector<CurvePoint>>;

PointsByUpdate points_of(const CurveOfRuns& curve, const Figure& figure, const std::string& axis) {
  PointsByUpdate points;
  for (const Run* run : curve.runs) {
    const auto position = position_on(axis, run->lines);
    std::map<int64_t, CurvePoint> own;
    for (const MetricLine& line : run->lines) {
      const auto value = line.figures.find(figure.name);
      if (line.kind == figure.kind && value != line.figures.end())
        own[line.update] = {position(line), value->second};
    }
    for (const auto& [update, point] : own) points[update].push_back(point);
  }
  return points;
}

CurvePoint mean_of(const std::vector<CurvePoint>& points) {
  if (points.size() == 1) return points.front();
  std::vector<double> xs, ys;
  for (const CurvePoint& point : points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  const auto x = spread_of(xs), y = spread_of(ys);
  return {x->mean, y->mean, *y->deviation};
}

// Leaves out updates that a run lacks: the mean of fewer runs than before would be a jump.
std::vector<CurvePoint> curve_points(const CurveOfRuns& curve, const Figure& figure,
                                     const std::string& axis) {
  const auto runs = static_cast<size_t>(
      std::ranges::count_if(curve.runs, [&](const Run* run) { return has(*run, figure); }));
  std::vector<CurvePoint> points;
  const PointsByUpdate all = points_of(curve, figure, axis);
  for (const auto& [update, own] : all) {
    if (own.size() == runs) points.push_back(mean_of(own));
  }
  if (points.size() < all.size())
    spdlog::warn("{}: {} is drawn at the {} updates that all {} runs have; {} others are left out",
                 curve.name, figure.full_name(), points.size(), runs, all.size() - points.size());
  return points;
}

CurvePanel panel_of(const std::vector<CurveOfRuns>& curves, const Figure& figure,
                    const PlotCurvesOptions& options) {
  CurvePanel panel{title_of(figure), {}};
  if (figure.kind == "train") panel.smoothing = options.smoothing;
  for (size_t i = 0; i < curves.size(); ++i) {
    Curve curve{i, curve_points(curves[i], figure, options.x_axis)};
    if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

template <class Act>
void for_each_point(CurveChart& chart, Act act) {
  for (CurvePanel& panel : chart.panels) {
    for (Curve& curve : panel.curves) std::ranges::for_each(curve.points, act);
  }
}

void set_unit(CurveChart& chart, const std::string& axis) {
  double largest = 0;
  for_each_point(chart, [&](const CurvePoint& point) { largest = std::max(largest, point.x); });
  const AxisUnit unit = unit_of(axis, largest);
  chart.x_title = unit.title;
  for_each_point(chart, [&](CurvePoint& point) { point.x /= unit.size; });
}

void warn_of_missing(const std::vector<Run>& runs, const Figure& figure) {
  for (const Run& run : runs) {
    if (!run.lines.empty() && !has(run, figure))
      spdlog::warn("{}: metrics.jsonl has no {}", run.path, figure.full_name());
  }
}

void warn_of_large(const Run& run, const Figure& figure) {
  for (const MetricLine& line : run.lines) {
    const auto value = line.figures.find(figure.name);
    if (line.kind != figure.kind || value == line.figures.end() ||
        !(std::abs(value->second) > kLargestDrawn))
      continue;
    spdlog::warn(
        "{}: {} is {} at update {}; values beyond {} are left out of the picture, from here on "
        "without a message",
        run.path, figure.full_name(), value->second, line.update, kLargestDrawn);
    return;
  }
}

// Names the update from which on the scores of a run begin anew.
void warn_of_scales(const Run& run, const Figure& figure) {
  std::string last;
  for (const MetricLine& line : run.lines) {
    if (line.kind != figure.kind || line.kind != "validation" ||
        !line.figures.contains(figure.name))
      continue;
    const std::string key = line.comparison_key(figure.name);
    if (!last.empty() && key != last)
      spdlog::warn(
          "{}: {} from update {} on cannot be compared with that before, for the validation set, "
          "or settings of the metric or of search, have changed",
          run.path, figure.full_name(), line.update);
    last = key;
  }
}

// One curve for each run, or for each group of runs that differ by seed alone.
std::vector<CurveOfRuns> curves_of(const std::vector<Run>& runs, bool group) {
  std::vector<std::string> paths;
  std::vector<RunSettingValues> configs;
  for (const Run& run : runs) {
    paths.push_back(run.path);
    configs.push_back(group ? read_settings(run.path) : RunSettingValues());
  }
  const std::vector<std::string> names = short_names(paths);
  std::vector<CurveOfRuns> curves;
  for (const std::vector<size_t>& members : groups_by_seed(configs)) {
    CurveOfRuns& curve = curves.emplace_back();
    std::vector<std::string> own;
    for (const size_t i : members) {
      curve.runs.push_back(&runs[i]);
      own.push_back(names[i]);
    }
    curve.name = common_name(own);
  }
  if (group && curves.size() == runs.size()) warn_of_no_groups();
  return curves;
}

constexpr const char* kBandNote =
    "mean of runs that differ by seed; band: ± one standard deviation";

// Names the curves, in their order.
void set_names(std::vector<CurveOfRuns>& curves, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  std::vector<std::string> names;
  for (const CurveOfRuns& curve : curves) names.push_back(curve.name);
  if (labels.size() != curves.size())
    throw_error(ErrorKind::kUsage, "--label: {} given, expected {}, one for each curve: {}",
                labels.size(), curves.size(), fmt::join(names, ", "));
  for (size_t i = 0; i < curves.size(); ++i) curves[i].name = labels[i];
}

CurveChart chart_of(const PlotCurvesOptions& options) {
  CurveChart chart;
  chart.log_x = options.log_x;
  chart.log_y = options.log_y;
  chart.title = options.title;
  chart.width = static_cast<double>(options.width.value_or(0));
  short_names(options.runs);  // refuses a run that is named twice, before it is read
  const std::vector<Run> runs = read_runs(options.runs);
  std::vector<CurveOfRuns> curves = curves_of(runs, options.group);
  set_names(curves, options.labels);
  if (curves.size() < runs.size())
    chart.note = fmt::format("{}: {}", options.labels.empty() ? "{a,b}" : "with a band", kBandNote);
  for (const CurveOfRuns& curve : curves) chart.runs.push_back(curve.name);
  const std::vector<Figure> all = all_figures(runs);
  const std::vector<Figure> figures =
      options.metrics.empty() ? default_figures(runs, all) : named_figures(options.metrics, all);
  for (const Figure& figure : figures) {
    warn_of_missing(runs, figure);
    for (const Run& run : runs) {
      warn_of_scales(run, figure);
      warn_of_large(run, figure);
    }
    chart.panels.push_back(panel_of(curves, figure, options));
  }
  set_unit(chart, options.x_axis);
  return chart;
}

std::string page_title(const CurveChart& chart) {
  if (!chart.title.empty()) return chart.title;
  constexpr size_t kFew = 3;
  if (chart.runs.size() > kFew) return fmt::format("Learning curves of {} runs", chart.runs.size());
  return fmt::format("Learning curves: {}", fmt::join(chart.runs, ", "));
}

std::string picture(const std::string& path, const CurveChart& chart) {
  const std::string ending = ending_of(path);
  if (ending == "html") return html_curves(page_title(chart), chart);
  const std::string svg = svg_curves(chart);
  return ending == "svg" ? svg : convert_svg(svg, ending, path, pixels_of_png(chart.width));
}

void check_files(const std::vector<std::string>& pictures) {
  std::vector<NamedFile> outputs;
  for (const std::string& path : pictures) outputs.push_back({"--output", path});
  refuse_same_files({}, outputs);
  refuse_outputs_in_runs(outputs);
}

}  // namespace

void plot_curves(const PlotCurvesOptions& options) {
  check_files(options.pictures);
  const CurveChart chart = chart_of(options);
  std::vector<Picture> pictures;
  for (const std::string& path : options.pictures) pictures.push_back({path, picture(path, chart)});
  write_pictures(pictures);
}

}  // namespace heed
