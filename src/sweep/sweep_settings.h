// The settings of a sweep: every combination of its named settings, its grid and its draws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/tree.h"
#include "run/sweep_config.h"

namespace heed {

// A key that a setting changes.
struct SettingChange {
  std::string key;  // as in --set
  Node value;
  std::string path;  // of the value in the config: "sweep.grid.train.optimizer.rate[1]"
};

struct SweepSetting {
  std::string name;  // also that of its folder: "small,rate=0.001,draw-3"
  std::vector<SettingChange> changes;
  // The setting whose runs label text for this one, by its index; nullopt: a setting of the config.
  std::optional<size_t> teacher{};
};

// In the order of the config; one setting, "base", if the sweep has seeds alone. Names are unique
// unless two values of the grid look alike.
std::vector<SweepSetting> settings_of(const SweepConfig& sweep);

}  // namespace heed
