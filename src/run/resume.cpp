#include "run/resume.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "base/error.h"
#include "config/changeable_keys.h"

namespace heed {

namespace {

// True if the training of a phase changes a setting so that `is_wanted` holds for its new value.
bool any_phase(const TrainConfig& train, const char* key,
               const std::function<bool(const Node& value)>& is_wanted) {
  return std::ranges::any_of(train.phases, [&](const PhaseConfig& phase) {
    const Node* value = phase.train.is(Node::Form::kMap) ? phase.train.find(key) : nullptr;
    return value != nullptr && is_wanted(*value);
  });
}

bool has_sequence_loss(const TrainConfig& train) {
  return train.sequence_loss || any_phase(train, "sequence_loss", [](const Node& value) {
           return !value.is(Node::Form::kNull);
         });
}

bool has_plateau(const TrainConfig& train) {
  constexpr const char* kPlateau = "plateau";
  return train.schedule->type == kPlateau || any_phase(train, "schedule", [](const Node& value) {
           const Node* type = value.is(Node::Form::kMap) ? value.find("type") : &value;
           return type != nullptr && type->text == kPlateau;
         });
}

// True if the score of a validation depends on the key.
bool changes_scores(std::string_view key, const TrainConfig& train) {
  if (key == "train.validate.metric" || key == "train.validate.every") return true;
  constexpr std::array of_translations = std::to_array<std::string_view>(
      {"train.validate.beam", "train.validate.max_sentences", "train.validate.tokenize"});
  return (key.starts_with("search.") || std::ranges::count(of_translations, key) > 0) &&
         train.validation.metric.translates;
}

// True for keys that training depends on in some configs. A loss of whole sentences draws
// translations of limited length; if its metric is BLEU, it scores them with the tokenizer. The
// plateau schedule reads the scores of validations.
bool training_reads(std::string_view key, const TrainConfig& train) {
  const bool is_of_samples =
      key.starts_with("search.max_length_") || key == "train.validate.tokenize";
  return (is_of_samples && has_sequence_loss(train)) ||
         (has_plateau(train) && changes_scores(key, train));
}

// Exceptions to the settings that may change: settings that training reads in this run.
std::string exceptions_of(const TrainConfig& before) {
  std::string text;
  if (has_sequence_loss(before))
    text +=
        ". With train.sequence_loss, the maximum length of search and train.validate.tokenize stay";
  if (has_plateau(before))
    text += ". With a plateau schedule, the settings that scores of validations depend on stay";
  return text;
}

}  // namespace

std::vector<ChangedSetting> refused_changes(const RunSettings& before, const RunSettings& now) {
  const ChangeableKeys may_change(before.all, ChangeAt::kResume),
      may_change_now(now.all, ChangeAt::kResume);
  std::vector<ChangedSetting> changes =
      changed_settings(flatten_config(before.all), flatten_config(now.all));
  std::erase_if(changes, [&](const ChangedSetting& change) {
    return (may_change.has(change.key) || may_change_now.has(change.key)) &&
           !training_reads(change.key, before.train);
  });
  return changes;
}

void check_resumable(const RunSettings& before, const RunSettings& now, const std::string& run) {
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
      run, list, exceptions_of(before.train));
}

}  // namespace heed
