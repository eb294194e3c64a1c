// The figures of a run, read from its metrics.jsonl; without libtorch, and while it is trained.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heed {

// A line of the file.
struct MetricLine {
  std::string kind;  // train, validation, test, end
  int64_t update = 0;
  std::map<std::string, double> figures{};  // NaN where the file has null
  bool is_best = false;                     // of a validation: the best one so far
  std::string state{}, reason{};            // of the end
  std::string name{}, signature{};          // of a test: its set, and how the score was made
  // Hashes of a validation: of its text and, by metric, of the settings that its score depends on.
  // Scores with equal ones can be compared. Empty in files of earlier versions.
  std::string set{};
  std::map<std::string, std::string> settings{};
  // Both hashes of one metric; "" where they are unknown.
  std::string scale(const std::string& metric) const;
};

// In the order of the file. An incomplete last line, of a run in progress, is left out; others that
// cannot be read are left out with a warning. Throws Error(kModel) if the folder has no
// metrics.jsonl, Error(kIo) without permission for it.
std::vector<MetricLine> read_metrics(const std::filesystem::path& run);

// The config of a run: keys of nested maps joined by points, and values on one line of YAML. Empty
// where it cannot be read.
using RunSettingValues = std::vector<std::pair<std::string, std::string>>;  // in their order
RunSettingValues read_settings(const std::filesystem::path& run);

// Of the settings of a run; "" if it is not there.
std::string setting_of(const RunSettingValues& settings, const std::string& key);

// Names of runs in legends: their paths without the folders that all of them begin or end with.
// Throws Error(kUsage) if one run is named twice.
std::vector<std::string> short_names(const std::vector<std::string>& runs);

}  // namespace heed
