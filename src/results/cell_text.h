// Text for the cells of tables in LaTeX, Markdown and CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Shows all characters in the text of any LaTeX document, whatever packages it has; also at the
// beginning of a row, where brackets and * would belong to the command before. Characters beyond
// ASCII stay.
std::string latex_text(std::string_view text);
// Shows all characters in a table of Markdown (GitHub and pandoc).
std::string markdown_text(std::string_view text);

// Records of equally many fields; the first one has their names.
using Records = std::vector<std::vector<std::string>>;
// A number in full precision; "" for nullopt.
std::string field_of(const std::optional<double>& number);
// CSV by RFC 4180: lines end in CR LF, and a field is in quotes if it needs them.
std::string csv_text(const Records& records);
// Fields between tabs; control characters are escaped, a tab as \t.
std::string tsv_text(const Records& records);

}  // namespace heed
