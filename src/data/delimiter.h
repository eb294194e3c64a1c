// Tables whose columns are separated by commas or semicolons (CSV), as spreadsheets write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace heed {

// The delimiter, by the first lines: all rows have as many columns, and most delimiters have no space
// behind them, as punctuation does. rows: fewer of them show nothing. A file called .csv is such a
// table whatever its rows, but for a tab in its first line. nullopt: it is none. Of a pipe nothing is
// read.
std::optional<char> find_delimiter(const std::filesystem::path& file, int64_t rows);

}  // namespace heed
