#include "cli/source_object.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

namespace heed {

std::optional<std::string> read_source_object(std::string_view line,
                                              const std::vector<std::string>& names,
                                              std::vector<std::string>& texts) {
  texts.assign(names.size(), "");
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return "is not a JSON object";
  for (size_t i = 0; i < names.size(); ++i) {
    if (!object.contains(names[i]) || !object[names[i]].is_string())
      return fmt::format("'{}' is missing or not a string", names[i]);
    texts[i] = object[names[i]].get<std::string>();
    if (texts[i].find('\n') != std::string::npos)
      return fmt::format("'{}' holds a line break; give each line by itself", names[i]);
  }
  for (const auto& [name, unused] : object.items()) {
    if (std::ranges::find(names, name) == names.end())
      return fmt::format("'{}' is not an input of the model", name);
  }
  return std::nullopt;
}

}  // namespace heed
