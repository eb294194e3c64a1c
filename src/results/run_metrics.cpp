#include "results/run_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "config/parse.h"
#include "config/print.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : "";
}

// True for an integer up to 2^53: a double represents all of them exactly.
bool is_update(const Json& value) {
  constexpr int64_t kMost = int64_t{1} << 53;
  return value.is_number_unsigned() && value.get<uint64_t>() <= kMost;
}

std::optional<MetricLine> parse_line(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*exceptions=*/false);
  if (!json.is_object() || !json.contains("update") || !is_update(json["update"]))
    return std::nullopt;
  MetricLine line{.kind = text_of(json, "kind"), .update = json["update"]};
  line.state = text_of(json, "state");
  line.reason = text_of(json, "reason");
  line.name = text_of(json, "name");
  line.signature = text_of(json, "signature");
  line.text_hash = text_of(json, "set");
  if (const auto own = json.find("settings"); own != json.end() && own->is_object()) {
    for (const auto& [name, value] : own->items())
      if (value.is_string()) line.settings[name] = value;
  }
  for (const auto& [name, value] : json.items()) {
    if (name == "best" && value.is_boolean()) line.is_best = value;
    if (name == "update") continue;
    if (value.is_number()) line.figures[name] = value;
    if (value.is_null()) line.figures[name] = std::numeric_limits<double>::quiet_NaN();
  }
  return line;
}

[[noreturn]] void refuse(const fs::path& run) {
  const std::string name = run.string();
  if (!is_there(run)) throw_error(ErrorKind::kModel, "{}: does not exist; expected a run", name);
  if (!fs::is_directory(run))
    throw_error(ErrorKind::kModel, "{}: is a file; expected the folder of a run", name);
  is_there(run / kRunMetrics);  // throws without permission for the folder
  throw_error(ErrorKind::kModel, "{}: has no {}; expected the folder of a run", name, kRunMetrics);
}

void flatten(const Node& node, const std::string& path, RunSettingValues& settings) {
  if (!node.is(Node::Form::kMap) || node.entries.empty()) {
    settings.emplace_back(path, print_inline(node));
    return;
  }
  for (const Node::Entry& entry : node.entries)
    flatten(entry.value, path.empty() ? entry.key : path + "." + entry.key, settings);
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : without_last_slash(fs::absolute(path).lexically_normal()))
    parts.push_back(part.string());
  return parts;
}

// The number of leading parts that all names share; at least one part of each name remains.
size_t common_beginning(const std::vector<std::vector<std::string>>& all) {
  size_t count = all.front().size();
  for (const auto& parts : all) {
    const auto end = std::ranges::mismatch(parts, all.front()).in1;
    count = std::min({count, static_cast<size_t>(end - parts.begin()), parts.size() - 1});
  }
  return count;
}

}  // namespace

std::string MetricLine::comparison_key(const std::string& metric) const {
  const auto own = settings.find(metric);
  return own == settings.end() ? text_hash : text_hash + own->second;
}

std::vector<MetricLine> read_metrics(const fs::path& run) {
  const fs::path path = run / kRunMetrics;
  if (!is_plain_file(path)) refuse(run);
  std::vector<MetricLine> lines;
  std::string text;
  int64_t damaged = 0;
  for (LineReader reader(path); reader.next(text);) {
    if (damaged > 0)
      spdlog::warn("{}:{}: is not a line of a run; left out", path.string(), damaged);
    auto line = parse_line(text);
    damaged = line ? 0 : reader.line_number();
    if (line) lines.push_back(std::move(*line));
  }
  return lines;
}

RunSettingValues read_settings(const fs::path& run) {
  const fs::path path = run / kRunConfig;
  RunSettingValues settings;
  if (!is_plain_file(path)) return settings;
  std::vector<Problem> problems;
  const auto root = parse_yaml(read_file(path), path.string(), problems);
  if (root && root->is(Node::Form::kMap)) flatten(*root, "", settings);
  return settings;
}

std::string setting_of(const RunSettingValues& settings, const std::string& key) {
  const auto found = std::ranges::find(settings, key, &RunSettingValues::value_type::first);
  return found == settings.end() ? "" : found->second;
}

std::vector<std::string> short_names(const std::vector<std::string>& runs) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& run : runs) {
    all.push_back(parts_of(run));
    if (std::ranges::count(all, all.back()) > 1)
      throw_error(ErrorKind::kUsage, "{}: is named twice", run);
  }
  for (int end = 0; end < 2; ++end) {
    const size_t common = end == 0 || all.size() > 1 ? common_beginning(all) : 0;
    for (auto& parts : all) {
      parts.erase(parts.begin(), parts.begin() + static_cast<int64_t>(common));
      std::ranges::reverse(parts);  // the ends are next, then the order is as before
    }
  }
  std::vector<std::string> names;
  for (const auto& parts : all) names.push_back(fmt::format("{}", fmt::join(parts, "/")));
  return names;
}

}  // namespace heed
