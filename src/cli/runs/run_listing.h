// The work of `heed runs`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/pivot_table.h"

namespace heed {

struct RunsOptions {
  std::vector<std::string> folders;
  std::string format = "text";
  RunOrder order = RunOrder::kScore;
  bool group = false;
  bool no_bold = false;
  std::optional<int64_t> digits;
  // Any of the following makes a table of cells instead of a list.
  std::vector<std::string> by, scores;
  std::optional<std::string> across, average, baseline;
  std::vector<CellNumber> columns;
  BaselineTest test;
  bool makes_cells() const {
    return !by.empty() || !scores.empty() || !columns.empty() || baseline.has_value();
  }
};

// Prints the table. Throws Error: kModel without runs, kUsage, and what make_pivot_table() throws.
int run_runs(const RunsOptions& options);

}  // namespace heed
