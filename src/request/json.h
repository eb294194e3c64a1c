// JSON as the server reads and writes it.
#pragma once

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace heed {

using Json = nlohmann::ordered_json;
inline constexpr const char* kJsonType = "application/json";

}  // namespace heed
