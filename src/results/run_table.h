// A table of runs, or of groups of runs that differ by seed alone: their state, their scores, and
// the settings that differ between them.
#pragma once

#include <cstddef>
#include <string>

#include "results/run_columns.h"

namespace heed {

// For a terminal. width: in characters. Columns that do not fit follow in a further block, which
// repeats the names. Long names and values are cut.
std::string text_table(const RunTable& table, size_t width);
// A line for each row, below a line with the names of the columns; everything in full.
std::string tsv_table(const RunTable& table);
// A list with an object for each row.
std::string json_table(const RunTable& table);

}  // namespace heed
