#include "run/resume.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "config/marked_keys.h"
#include "config/mistakes.h"

namespace heed {

namespace {

// Results that training reads, in any of its phases. The stored config is read without its phases;
// those of the config now are equal, or the run is refused because of them.
class ReadByTraining {
 public:
  ReadByTraining(const RunSettings& before, const RunSettings& now) {
    add(before.train);
    for (const RunPhase& phase : now.phases) add(phase.learning);
  }
  bool samples() const { return samples_; }
  bool scores() const { return scores_; }

 private:
  void add(const LearningConfig& learning) {
    samples_ = samples_ || learning.sequence_loss.has_value();
    scores_ = scores_ || learning.schedule->reads_scores();
  }
  bool samples_ = false, scores_ = false;
};

// Keys that training depends on in this config. A loss of whole sentences draws translations of
// limited length; if its metric is BLEU, it scores them with the tokenizer. The plateau schedule
// reads the scores of validations.
std::vector<MarkedKeys> keys_of_training(const RunSettings& settings, const ReadByTraining& read) {
  std::vector<MarkedKeys> keys;
  if (read.samples()) keys.emplace_back(settings.all, Effect::kSamples);
  if (!read.scores()) return keys;
  keys.emplace_back(settings.all, Effect::kScores);
  if (settings.train.validation.metric.translates)
    keys.emplace_back(settings.all, Effect::kTranslationScores);
  return keys;
}

// Exceptions to the settings that may change: settings that training reads in this run.
std::string exceptions_of(const ReadByTraining& read) {
  std::string text;
  if (read.samples())
    text +=
        ". With train.sequence_loss, the maximum length of search and train.validate.tokenize stay";
  if (read.scores())
    text += ". With a plateau schedule, the settings that scores of validations depend on stay";
  return text;
}

}  // namespace

std::vector<ChangedSetting> refused_changes(const RunSettings& before, const RunSettings& now) {
  const MarkedKeys may_change(before.all, ChangeAt::kResume),
      may_change_now(now.all, ChangeAt::kResume);
  const std::vector<MarkedKeys> of_training = keys_of_training(before, ReadByTraining(before, now));
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
  throw_error(
      ErrorKind::kUsage,
      "{}: cannot be resumed with other settings ({}). Use the old values, or start another "
      "run: --run FOLDER. A resumed run may change limits, validation, search, logging and "
      "the checkpoints that are kept{}",
      run, changes_text(changes), exceptions_of(ReadByTraining(before, now)));
}

}  // namespace heed
