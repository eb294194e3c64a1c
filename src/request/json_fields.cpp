#include "request/json_fields.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace heed {

std::string shown(const Json& value) {
  // A list or object may be of any size; a value is short enough to be shown.
  constexpr size_t kShown = 40;
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  const std::string text = json_text(value);
  if (text.size() <= kShown) return text;
  return value.is_string() ? "a long text" : "a long number";
}

const Json* JsonFields::any(const std::string& name) {
  taken_.push_back(name);
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool JsonFields::has(const std::string& name) const {
  const auto found = object_.find(name);
  return found != object_.end() && !found->is_null();
}

void JsonFields::wrong(const std::string& name, const std::string& what) {
  problems_.push_back(fmt::format("{}: {}", name, what));
}

void JsonFields::expected(const std::string& name, const Json& found, const std::string& what) {
  wrong(name, fmt::format("found {}, expected {}", shown(found), what));
}

std::optional<bool> JsonFields::boolean(const std::string& name) {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  expected(name, *value, "true or false");
  return std::nullopt;
}

std::optional<int64_t> JsonFields::whole(const std::string& name, const IntRange& range) {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  // An unsigned number beyond those with a sign would become a negative one.
  const bool fits = value->is_number_integer() &&
                    (!value->is_number_unsigned() || value->get<uint64_t>() <= INT64_MAX);
  if (fits && value->get<int64_t>() >= range.low && value->get<int64_t>() <= range.high)
    return value->get<int64_t>();
  expected(name, *value, fmt::format("a whole number from {} to {}", range.low, range.high));
  return std::nullopt;
}

std::optional<double> JsonFields::real(const std::string& name, const Range& range) {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) {
    const double number = value->get<double>();
    if (number <= range.high && (range.open_low ? number > range.low : number >= range.low))
      return number;
  }
  expected(name, *value,
           fmt::format("a number {} {} and up to {}", range.open_low ? "above" : "from", range.low,
                       range.high));
  return std::nullopt;
}

std::optional<std::string> JsonFields::text(const std::string& name) {
  const Json* value = any(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  expected(name, *value, "a text");
  return std::nullopt;
}

std::vector<std::string> JsonFields::texts(const std::string& name) {
  const Json* value = any(name);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    expected(name, *value, "a list of texts");
    return {};
  }
  const auto other = std::ranges::find_if(*value, [](const Json& one) { return !one.is_string(); });
  if (other == value->end()) return value->get<std::vector<std::string>>();
  expected(fmt::format("{}[{}]", name, other - value->begin()), *other, "a text");
  return {};
}

std::vector<std::string> JsonFields::others() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : object_.items()) {
    if (std::ranges::find(taken_, name) == taken_.end()) names.push_back(name);
  }
  return names;
}

}  // namespace heed
