// A table of runs, or of groups of runs that differ by seed alone: what has become of each, their
// scores, and the settings that differ between them.
#pragma once

#include <cstddef>
#include <string>

#include "results/run_columns.h"

namespace heed {

// For a terminal of this width: what does not fit beside the names of the runs continues below, with
// the names again. Long names and values are cut.
std::string text_table(const RunTable& table, size_t width);
// A line for each row, below a line with the names of the columns; everything in full.
std::string tsv_table(const RunTable& table);
// A list with an object for each row.
std::string json_table(const RunTable& table);

}  // namespace heed
