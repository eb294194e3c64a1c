#include "train/resume.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"

namespace heed {

namespace {

// A key itself, or everything below it.
constexpr std::array kFree = std::to_array<std::string_view>({
    "run",
    "device",
    "data.dir",  // the files themselves are compared (data_record.h)
    "data.test",
    "init",  // of a new run
    "data.min_kept",
    "data.cache",
    "search",
    "train.max_updates",
    "train.max_epochs",
    "train.max_time",
    "train.max_skipped",
    "train.validate",
    "train.keep",
    "train.save_every",
    "train.log_every",
    "train.tensorboard",
    "train.shard_optimizer",
    "train.reduction.overlap",
    "train.gradient_checkpointing",
});

bool is_free(std::string_view key) {
  return std::any_of(kFree.begin(), kFree.end(), [&](std::string_view free) {
    return key.starts_with(free) &&
           (key.size() == free.size() || key[free.size()] == '.' || key[free.size()] == '[');
  });
}

// Settings of a phase stand in one value.
bool has_sequence_loss(const FlatConfig& config) {
  return std::ranges::any_of(config, [](const auto& setting) {
    const auto& [name, value] = setting;
    return name.find(".sequence_loss.") != std::string::npos ||
           value.find("sequence_loss:") != std::string::npos;
  });
}

bool has_plateau(const FlatConfig& config) {
  return std::ranges::any_of(config, [](const auto& setting) {
    const auto& [name, value] = setting;
    return (name.ends_with("schedule.type") && value == "plateau") ||
           value.find("type: plateau") != std::string::npos ||
           value.find("schedule: plateau") != std::string::npos;
  });
}

// What training depends on in some configs: a loss of whole sentences draws translations of such
// lengths, and the plateau schedule reads the scores of validations.
bool is_bound(std::string_view key, const FlatConfig& config) {
  if (key.starts_with("search.max_length_")) return has_sequence_loss(config);
  const bool is_of_scores = key == "train.validate.metric" || key == "train.validate.every" ||
                            key == "train.validate.beam" || key == "train.validate.max_sentences";
  return is_of_scores && has_plateau(config);
}

}  // namespace

std::vector<ChangedSetting> refused_changes(const FlatConfig& before, const FlatConfig& now) {
  std::vector<ChangedSetting> changes = changed_settings(before, now);
  std::erase_if(changes, [&](const ChangedSetting& change) {
    return is_free(change.key) && !is_bound(change.key, now);
  });
  return changes;
}

void check_resumable(const FlatConfig& before, const FlatConfig& now, const std::string& run) {
  const auto changes = refused_changes(before, now);
  if (changes.empty()) return;
  std::string list;
  for (const ChangedSetting& change : changes) {
    list += fmt::format("{}{}: was {}, is {}", list.empty() ? "" : "; ", change.key, change.before,
                        change.now);
  }
  throw_error(
      ErrorKind::kUsage,
      "{}: cannot be resumed with other settings ({}); only what the result of training does "
      "not depend on may change, such as limits, validation, logging, keep and search; use "
      "the old values, or start another run",
      run, list);
}

}  // namespace heed
