#include "run/resume.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/error.h"
#include "config/marked_keys.h"

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

// Keys that training depends on in this config. A loss of whole sentences draws translations of
// limited length; if its metric is BLEU, it scores them with the tokenizer. The plateau schedule
// reads the scores of validations.
std::vector<MarkedKeys> keys_of_training(const RunSettings& settings) {
  std::vector<MarkedKeys> keys;
  const TrainConfig& train = settings.train;
  if (has_sequence_loss(train)) keys.emplace_back(settings.all, Effect::kSamples);
  if (!has_plateau(train)) return keys;
  keys.emplace_back(settings.all, Effect::kScores);
  if (train.validation.metric.translates)
    keys.emplace_back(settings.all, Effect::kTranslationScores);
  return keys;
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
  const MarkedKeys may_change(before.all, ChangeAt::kResume),
      may_change_now(now.all, ChangeAt::kResume);
  const std::vector<MarkedKeys> of_training = keys_of_training(before);
  std::vector<ChangedSetting> changes =
      changed_settings(flatten_config(before.all), flatten_config(now.all));
  std::erase_if(changes, [&](const ChangedSetting& change) {
    return (may_change.has(change.key) || may_change_now.has(change.key)) &&
           std::ranges::none_of(of_training,
                                [&](const MarkedKeys& keys) { return keys.has(change.key); });
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
