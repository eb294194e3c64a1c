// A whole config file: the config of a run, and the sections that other commands read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/paths.h"
#include "run/distill_config.h"
#include "run/run_config.h"
#include "run/sweep_config.h"

namespace heed {

struct ConfigFile final : Settings {
  RunConfig run;
  std::optional<SweepConfig> sweep;
  std::optional<DistillConfig> distill;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override { run.validate(problems); }
  void validate_parts(Problems& problems) const override;
};

// Does the same as read_run_config(), for the whole file.
ConfigFile read_whole_config(const std::string& file, const std::vector<std::string>& overrides,
                             bool resumes = false);
// Does the same, but returns the problems, in their order. Throws Error(kUsage) if the file is no
// config at all.
std::vector<Problem> find_config_problems(const std::string& file,
                                          const std::vector<std::string>& overrides, bool resumes,
                                          ConfigFile& config);

// KEY=VALUE for --set, where relative paths of the value start from this folder. keys: of ConfigFile.
std::string override_text(const std::string& key, Node value, const std::filesystem::path& folder,
                          const PathKeys& keys);

}  // namespace heed
