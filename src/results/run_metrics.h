// The figures of a run, read from its metrics.jsonl; without libtorch, also during training.
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
  // Empty in files of earlier versions.
  std::string text_hash{};
  std::map<std::string, std::string> settings{};
  // Both hashes of a metric together; "" if they are unknown. Scores with equal keys can be
  // compared.
  std::string comparison_key(const std::string& metric) const;
};

// Lines in the order of the file. Leaves out an incomplete last line, which a run in progress may
// have; leaves out other lines that cannot be read with a warning. Throws Error(kModel) if the
// folder has no metrics.jsonl, Error(kIo) without permission for it.
std::vector<MetricLine> read_metrics(const std::filesystem::path& run);

// The config of a run: keys of nested maps joined by points, and values as YAML on one line. Empty
// if config.yaml is missing or is no YAML map. Throws Error(kIo) if it cannot be opened.
using RunSettingValues = std::vector<std::pair<std::string, std::string>>;  // in their order
RunSettingValues read_settings(const std::filesystem::path& run);

// Value of a setting of a run; "" if it is missing.
std::string setting_of(const RunSettingValues& settings, const std::string& key);

// Names of runs for legends: their paths without the folders at the beginning or end that all of
// them share. Throws Error(kUsage) if one run is named twice.
std::vector<std::string> short_names(const std::vector<std::string>& runs);

}  // namespace heed
