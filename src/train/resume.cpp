#include "train/resume.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "train/validation.h"

namespace heed {

namespace {

// Keys that may change, with everything below them.
constexpr std::array kFree = std::to_array<std::string_view>({
    "run",
    "device",
    "data.dir",  // data_record.h compares the files themselves
    "data.test",
    "init",  // for a new run only
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

// The settings of a phase are a single value.
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

// True if validations are scored by their translations.
bool scores_translations(const FlatConfig& config) {
  const auto metric = config.find("train.validate.metric");
  return metric != config.end() && validation_metric(metric->second).translates;
}

// True if the score of a validation depends on the key.
bool changes_scores(std::string_view key, const FlatConfig& config) {
  if (key == "train.validate.metric" || key == "train.validate.every") return true;
  constexpr std::array of_translations = std::to_array<std::string_view>(
      {"train.validate.beam", "train.validate.max_sentences", "train.validate.tokenize"});
  return (key.starts_with("search.") || std::ranges::count(of_translations, key) > 0) &&
         scores_translations(config);
}

// True for keys that training depends on in some configs. A loss of whole sentences draws
// translations of limited length; if its metric is BLEU, it scores them with the tokenizer. The
// plateau schedule reads the scores of validations.
bool training_reads(std::string_view key, const FlatConfig& config) {
  const bool is_of_samples =
      key.starts_with("search.max_length_") || key == "train.validate.tokenize";
  return (is_of_samples && has_sequence_loss(config)) ||
         (has_plateau(config) && changes_scores(key, config));
}

// What of these training reads in this run.
std::string exceptions_of(const FlatConfig& before) {
  std::string text;
  if (has_sequence_loss(before))
    text +=
        ". With train.sequence_loss, the maximum length of search and train.validate.tokenize stay";
  if (has_plateau(before))
    text += ". With a plateau schedule, the settings that scores of validations depend on stay";
  return text;
}

}  // namespace

std::vector<ChangedSetting> refused_changes(const FlatConfig& before, const FlatConfig& now) {
  std::vector<ChangedSetting> changes = changed_settings(before, now);
  std::erase_if(changes, [&](const ChangedSetting& change) {
    return is_free(change.key) && !training_reads(change.key, before);
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
      "{}: cannot be resumed with other settings ({}). Use the old values, or start another "
      "run: --run FOLDER. A resumed run may change limits, validation, search, logging and "
      "the checkpoints that are kept{}",
      run, list, exceptions_of(before));
}

}  // namespace heed
