// Learning curves of runs, drawn from their metrics.jsonl.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed {

struct PlotCurvesOptions {
  std::vector<std::string> runs;
  // "train.loss", or "loss" for training and validation; none: the training loss and the metric of
  // validation.
  std::vector<std::string> metrics;
  std::vector<std::string> labels;    // names of the curves in the legend; none: of the runs
  std::vector<std::string> pictures;  // files, by their endings
  std::string x_axis = "updates";     // or seconds, tokens, epochs
  double smoothing = 0;               // of training figures, see report/curves.h
  bool log_x = false, log_y = false;
  bool group = false;              // runs that differ by seed alone are one curve, their mean
  std::string title{};             // "": none, and of a page the names of the runs
  std::optional<int64_t> width{};  // of the picture, in pixels
};

// Writes the pictures. Throws Error: kModel for a folder without metrics, kIo for one that cannot be
// read, kUsage for a metric that no run has, kData if nothing can be drawn.
void plot_curves(const PlotCurvesOptions& options);

}  // namespace heed
