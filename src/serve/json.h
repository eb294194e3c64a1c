// JSON as the server reads and writes it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace heed {

using Json = nlohmann::ordered_json;
inline constexpr const char* kJsonType = "application/json";

// On one line; malformed UTF-8 becomes U+FFFD.
inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heed
