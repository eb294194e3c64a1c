// A line of several inputs as a JSON object: {"en": "text", "de": "text"}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Reads the texts of these names, in their order; an empty line is of empty texts. Returns what is
// wrong, nullopt if nothing is.
std::optional<std::string> read_source_object(std::string_view line,
                                              const std::vector<std::string>& names,
                                              std::vector<std::string>& texts);

}  // namespace heed
