// Settings in which two configs differ.
#pragma once

#include <string>
#include <vector>

#include "config/writer.h"

namespace heed {

// The value of a key that a config does not have.
inline constexpr const char* kNotSet = "(not set)";

struct ChangedSetting {
  std::string key;
  std::string before, now;
};

// In the order of their keys.
std::vector<ChangedSetting> changed_settings(const FlatConfig& before, const FlatConfig& now);

}  // namespace heed
