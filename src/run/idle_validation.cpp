#include "run/idle_validation.h"

#include "base/error.h"
#include "config/changed_settings.h"
#include "config/marked_keys.h"

namespace heed {

namespace {

using Keys = std::vector<std::string>;

// Adds the keys of a section that have another value than by default.
void add_changed(const char* section, const Visited& usual, const Visited& config, Keys& keys) {
  for (const auto& change : changed_settings(flatten_config(usual), flatten_config(config)))
    keys.push_back(fmt::format("{}.{}", section, change.key));
}

// Changed keys of the sections that have settings of validation.
Keys changed_keys(const TrainConfig& train) {
  Keys keys;
  add_changed("train.validate", ValidateConfig(), train.validation, keys);
  add_changed("train.keep", KeepConfig(), train.keep, keys);
  return keys;
}

std::string say(const Keys& keys, const char* why, const char* advice) {
  return fmt::format("{}: no effect {}; {}leave {} out", fmt::join(keys, ", "), why, advice,
                     keys.size() == 1 ? "it" : "them");
}

// Schedules that read the scores of validations.
Keys schedules_of_scores(const RunConfig& config) {
  Keys keys;
  const ScheduleConfig& first = *config.train.schedule;
  if (first.reads_scores())
    keys.push_back(fmt::format("train.schedule: {} (the learning rate never falls)", first.type));
  for (size_t i = 0; i < config.phases.size(); ++i) {
    const ScheduleConfig& schedule = *config.phases[i].learning.schedule;
    if (schedule.reads_scores() && !first.reads_scores())
      keys.push_back(fmt::format("train.phases[{}].train.schedule: {}", i, schedule.type));
  }
  return keys;
}

Keys keys_without_set(const RunConfig& config) {
  const MarkedKeys of_validations(config, Effect::kValidations),
      of_tests(config, Effect::kTestScores);
  const bool has_tests = !config.data.test.empty();
  Keys keys = changed_keys(config.train);
  std::erase_if(keys, [&](const std::string& key) {
    return !of_validations.has(key) || (has_tests && of_tests.has(key));
  });
  for (std::string& key : schedules_of_scores(config)) keys.push_back(std::move(key));
  return keys;
}

Keys keys_without_translations(const RunConfig& config) {
  const bool has_source = !config.data.sources().empty();
  if (has_source && config.train.validation.translates()) return {};
  const MarkedKeys of_translations(config, Effect::kTranslations),
      logged(config, Effect::kLoggedTranslations);
  Keys keys = changed_keys(config.train);
  std::erase_if(keys, [&](const std::string& key) {
    return !of_translations.has(key) && (has_source || !logged.has(key));
  });
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
