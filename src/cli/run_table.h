// A table of runs: what has become of each, and the settings that differ between them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/run_list.h"

namespace heed {

// The settings, apart from `run`, that all runs have and that are not the same in all, in the order
// of the config. (A setting that only some have belongs to one kind of model or one version.)
std::vector<std::string> differing_settings(const std::vector<RunSummary>& runs);

// The end of each key that no other key has: "rate", "encoder.layers".
std::vector<std::string> short_keys(const std::vector<std::string>& keys);

// For a terminal of this width: what does not fit beside the names of the runs continues below, with
// the names again. Long names and values are cut.
std::string text_table(const std::vector<RunSummary>& runs, size_t width);
// A line for each run, below a line with the names of the columns; everything in full.
std::string tsv_table(const std::vector<RunSummary>& runs);
// A list with an object for each run.
std::string json_table(const std::vector<RunSummary>& runs);

}  // namespace heed
