// A table of runs, or of groups of runs that differ by seed alone: their state, their scores, and
// the settings that differ between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "results/cell_text.h"
#include "results/paper_table.h"
#include "results/run_columns.h"

namespace heed {

// For a terminal. width: in characters. Columns that do not fit follow in a further block, which
// repeats the names. Long names and values are cut.
std::string text_table(const RunTable& table, size_t width);
// For LaTeX and Markdown. decimals: of scores; unset: by their metrics. bold: for the best score of
// a column.
PaperTable paper_table(const RunTable& table, const std::optional<int>& decimals, bool bold);
// A record for each row, below a record with the names of the columns; everything in full.
Records records_of(const RunTable& table);
// A list with an object for each row.
std::string json_table(const RunTable& table);

}  // namespace heed
