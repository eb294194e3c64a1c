// JSON as text.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heed {

// JSON without control characters: DEL, those of U+0080 to U+009F and line separators
// (line_separators.h) are escaped, so that it is one line for every reader and harmless on a terminal.
// Malformed UTF-8 becomes U+FFFD. indent: spaces a level, with line feeds; -1: one line.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace heed
