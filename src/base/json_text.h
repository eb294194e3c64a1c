// JSON as text.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace heed {

// On one line for every reader: line separators (line_separators.h) are escaped. Malformed UTF-8
// becomes U+FFFD.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace heed
