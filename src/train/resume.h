// Which settings a resumed run may change.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heed {

// As flatten_config gives them: model.decoder.width → 512.
using FlatConfig = std::map<std::string, std::string>;

struct ChangedSetting {
  std::string key;
  std::string before, now;  // "(not set)" where a config does not have the key
};

// The settings that differ and that the result of training depends on; in the order of their keys.
// Limits, validation, logging, kept checkpoints, search, paths of run and data and the device may
// change.
std::vector<ChangedSetting> refused_changes(const FlatConfig& before, const FlatConfig& now);

// Throws Error(kUsage) that lists them all with both values.
void check_resumable(const FlatConfig& before, const FlatConfig& now, const std::string& run);

}  // namespace heed
