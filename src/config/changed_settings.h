// Settings in which two configs differ.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heed {

// As flatten_config gives them: model.decoder.width → 512.
using FlatConfig = std::map<std::string, std::string>;

// The value of a key that a config does not have.
inline constexpr const char* kNotSet = "(not set)";

struct ChangedSetting {
  std::string key;
  std::string before, now;
};

// In the order of their keys.
std::vector<ChangedSetting> changed_settings(const FlatConfig& before, const FlatConfig& now);

}  // namespace heed
