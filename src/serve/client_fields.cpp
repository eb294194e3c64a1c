#include "serve/client_fields.h"

#include <charconv>

#include <spdlog/fmt/fmt.h>

namespace heed {

std::optional<int64_t> whole_in(JsonFields& fields, const std::string& name,
                                const IntRange& range) {
  const Json* value = fields.any(name);
  if (value == nullptr || !value->is_string()) return fields.whole(name, range);
  const auto& text = value->get_ref<const std::string&>();
  if (text.empty()) return std::nullopt;
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  if (is_number && number >= range.low && number <= range.high) return number;
  fields.wrong(name, fmt::format("found {}, expected a whole number from {} to {}", shown(*value),
                                 range.low, range.high));
  return std::nullopt;
}

std::optional<bool> boolean_in(JsonFields& fields, const std::string& name) {
  const Json* value = fields.any(name);
  if (value == nullptr) return std::nullopt;
  for (const auto& [word, is_true] : {std::pair{Json("true"), true},
                                      {Json("1"), true},
                                      {Json(1), true},
                                      {Json("false"), false},
                                      {Json("0"), false},
                                      {Json(0), false}})
    if (*value == word) return is_true;
  return fields.boolean(name);
}

std::vector<std::string> texts_in(JsonFields& fields, const std::string& name) {
  const Json* value = fields.any(name);
  if (value != nullptr && value->is_string()) return {value->get<std::string>()};
  return fields.texts(name);
}

Json ignored_fields(const JsonFields& fields, const std::vector<std::string>& names) {
  Json warnings = Json::array();
  for (const std::string& name : names)
    if (fields.has(name))
      warnings.push_back({{"kind", "ignored"}, {"message", name + ": is not used"}});
  return warnings;
}

}  // namespace heed
