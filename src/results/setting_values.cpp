#include "results/setting_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/floating_point.h"
#include "base/printable.h"
#include "base/suggest.h"
#include "results/run_columns.h"

namespace heed {

namespace {

constexpr const char* kLacking = "-";
constexpr std::string_view kType = ".type";

// All keys of settings and of the sections around them, in the order of the configs.
std::vector<std::string> keys_in(const std::vector<RunSummary>& runs) {
  std::vector<std::string> keys;
  std::set<std::string> known;
  for (const RunSummary& run : runs) {
    for (const auto& setting : run.settings) {
      const std::string& key = setting.first;
      for (size_t end = key.find('.'); end != std::string::npos; end = key.find('.', end + 1)) {
        if (known.insert(key.substr(0, end)).second) keys.push_back(key.substr(0, end));
      }
      if (known.insert(key).second) keys.push_back(key);
    }
  }
  return keys;
}

bool ends_with_key(const std::string& key, const std::string& name) {
  return key.ends_with("." + name) || key.ends_with("." + name + std::string(kType));
}

bool is_below(const std::string& key, const std::string& section) {
  return key == section || key.starts_with(section + ".");
}

// Settings of the section that differ between two runs which have them; if there are none, its type.
std::vector<std::string> differing_below(const std::vector<RunSummary>& runs,
                                         const std::string& section) {
  std::map<std::string, std::set<std::string>> values;
  std::vector<std::string> order;
  for (const RunSummary& run : runs) {
    for (const auto& [key, value] : run.settings) {
      if (!is_below(key, section)) continue;
      if (!values.contains(key)) order.push_back(key);
      values[key].insert(value);
    }
  }
  std::erase_if(order, [&](const std::string& key) { return values.at(key).size() < 2; });
  if (order.empty()) order.push_back(section + std::string(kType));
  return order;
}

std::string value_of(const RunSummary& run, const std::vector<std::string>& keys,
                     const std::vector<std::string>& names, const std::string& section) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string value = setting_of(run.settings, keys[i]);
    if (value.empty()) continue;
    const bool is_plain = keys.size() == 1 || keys[i] == section || keys[i].ends_with(kType);
    parts.push_back(is_plain ? value : names[i] + " " + value);
  }
  const bool has_it = std::ranges::any_of(
      run.settings, [&](const auto& setting) { return is_below(setting.first, section); });
  if (parts.empty()) return has_it && !keys.empty() ? "other" : kLacking;
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = floating_point_from(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

}  // namespace

std::string find_setting(const std::vector<RunSummary>& runs, const std::string& name,
                         const std::string& option) {
  const auto keys = keys_in(runs);
  if (std::ranges::count(keys, name) > 0) return name;
  std::vector<std::string> found;
  for (const std::string& key : keys) {
    // "score" means "score.type", which names its section, but not both.
    const bool is_type = key.ends_with(kType) &&
                         std::ranges::count(found, key.substr(0, key.size() - kType.size())) > 0;
    if (ends_with_key(key, name) && !is_type) found.push_back(key);
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    throw_error(ErrorKind::kUsage, "{} {}: none of these runs has this setting{}", option, name,
                did_you_mean(name, keys));
  throw_error(ErrorKind::kUsage, "{} {}: is the end of several settings; expected one of {}",
              option, name, fmt::join(found, ", "));
}

std::vector<std::string> values_of(const std::vector<RunSummary>& runs, const std::string& key) {
  std::vector<std::string> values;
  const bool is_setting = std::ranges::all_of(runs, [&](const RunSummary& run) {
    return std::ranges::none_of(
        run.settings, [&](const auto& setting) { return setting.first.starts_with(key + "."); });
  });
  const std::vector<std::string> keys = is_setting ? std::vector{key} : differing_below(runs, key);
  const std::vector<std::string> names = short_keys(keys);
  for (const RunSummary& run : runs) {
    std::string value = value_of(run, keys, names, key);
    // A text is in quotes if YAML needs them.
    const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
                        std::ranges::count(value, '"') == 2 && value.find('\\') == value.npos;
    values.push_back(quoted ? value.substr(1, value.size() - 2) : value);
  }
  return values;
}

std::vector<std::string> short_values(const std::vector<std::string>& values) {
  const auto is_path = [](const std::string& value) {
    return value.starts_with('/') || value.starts_with("./") || value.starts_with("../");
  };
  const std::set<std::string> different(values.begin(), values.end());
  if (different.size() < 2 || !std::ranges::all_of(different, is_path)) return values;
  const std::vector<std::string> paths(different.begin(), different.end());
  std::vector<std::string> names;
  try {
    names = short_names(paths);
  } catch (const Error&) {  // one path, written in two ways
    return values;
  }
  std::vector<std::string> shortened;
  for (const std::string& value : values)
    shortened.push_back(
        names[static_cast<size_t>(std::ranges::find(paths, value) - paths.begin())]);
  return shortened;
}

bool is_before(const std::string& one, const std::string& other) {
  const auto first = number_in(one), second = number_in(other);
  if (first && second && *first != *second) return *first < *second;
  if (first.has_value() != second.has_value()) return first.has_value();
  return one < other;
}

}  // namespace heed
