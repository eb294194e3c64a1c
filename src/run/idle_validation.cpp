#include "run/idle_validation.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "config/changed_settings.h"

namespace heed {

namespace {

using Keys = std::vector<std::string>;

// Keys of train.validate with another value than by default.
Keys changed_keys(const ValidateConfig& config) {
  Keys keys;
  for (const auto& change :
       changed_settings(flatten_config(ValidateConfig()), flatten_config(config)))
    keys.push_back(change.key);
  return keys;
}

std::string say(const Keys& keys, const char* why, const char* advice) {
  return fmt::format("{}: no effect {}; {}leave {} out", fmt::join(keys, ", "), why, advice,
                     keys.size() == 1 ? "it" : "them");
}

// Test sets are scored by the metrics of validation.
bool is_of_tests(const RunConfig& config, const std::string& key) {
  return !config.data.test.empty() &&
         (key == "metric" || key.starts_with("metrics") || key == "tokenize");
}

Keys keys_without_set(const RunConfig& config) {
  Keys keys;
  for (const std::string& key : changed_keys(config.train.validation)) {
    if (!is_of_tests(config, key)) keys.push_back("train.validate." + key);
  }
  if (config.train.keep.best != KeepConfig().best) keys.emplace_back("train.keep.best");
  if (config.train.schedule->type == "plateau")
    keys.emplace_back("train.schedule: plateau (the learning rate never falls)");
  for (size_t i = 0; i < config.phases.size(); ++i) {
    if (config.phases[i].learning.schedule->type == "plateau" &&
        config.train.schedule->type != "plateau")
      keys.push_back(fmt::format("train.phases[{}].train.schedule: plateau", i));
  }
  return keys;
}

Keys keys_without_translations(const RunConfig& config) {
  const ValidateConfig& validation = config.train.validation;
  const bool has_source = !config.data.sources().empty();
  if (has_source && validation.translates()) return {};
  std::set<std::string> of_translations = {"beam", "max_sentences"};
  if (!has_source) of_translations.insert("samples");
  Keys keys;
  for (const std::string& key : changed_keys(validation)) {
    if (of_translations.contains(key)) keys.push_back("train.validate." + key);
  }
  return keys;
}

}  // namespace

std::vector<std::string> idle_validation(const RunConfig& config) {
  std::vector<std::string> warnings;
  if (config.data.valid.empty()) {
    if (const Keys keys = keys_without_set(config); !keys.empty())
      warnings.push_back(say(keys, "without a validation set", "give data.valid, or "));
  } else if (const Keys keys = keys_without_translations(config); !keys.empty()) {
    warnings.push_back(say(keys, "where validation translates nothing", ""));
  }
  return warnings;
}

}  // namespace heed
