#include "config/changed_settings.h"

#include <set>

namespace heed {

namespace {

std::string value_or_not_set(const FlatConfig& config, const std::string& key) {
  const auto found = config.find(key);
  return found == config.end() ? kNotSet : found->second;
}

}  // namespace

std::vector<ChangedSetting> changed_settings(const FlatConfig& before, const FlatConfig& now) {
  std::set<std::string> keys;
  for (const auto& [key, value] : before) keys.insert(key);
  for (const auto& [key, value] : now) keys.insert(key);
  std::vector<ChangedSetting> changes;
  for (const std::string& key : keys) {
    ChangedSetting change{key, value_or_not_set(before, key), value_or_not_set(now, key)};
    if (change.before != change.now) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace heed
