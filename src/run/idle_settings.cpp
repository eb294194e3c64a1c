#include "run/idle_settings.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "config/writer.h"

namespace heed {

namespace {

// Updates of a phase of the training, and its settings.
struct Stretch {
  std::string path;  // of its `train` section
  const LearningConfig& learning;
  const ModelConfig& model;
  const DataConfig& data;
  int64_t after = 0, end = 0;  // updates before its first, and with its last
  int64_t schedule_begin = 0;  // updates before its schedule began
  bool ends_schedule = true;   // false: the schedule counts on in the next phase
};

// The phases that have updates. end: updates of the whole training.
std::vector<Stretch> stretches_of(const RunConfig& config, int64_t end) {
  const std::vector<PhaseConfig>& phases = config.train.phases;
  std::vector<Stretch> all{{.path = "train",
                            .learning = config.train,
                            .model = config.model,
                            .data = config.data,
                            .end = phases.empty() ? end : std::min(end, phases.front().after)}};
  int64_t schedule_begin = 0;
  for (size_t i = 0; i < config.phases.size(); ++i) {
    const int64_t after = phases[i].after;
    if (after >= end) break;
    if (phases[i].resets(PhaseConfig::kSchedule)) schedule_begin = after;
    all.push_back({.path = fmt::format("train.phases[{}].train", i),
                   .learning = config.phases[i].learning,
                   .model = config.phases[i].model,
                   .data = config.phases[i].data,
                   .after = after,
                   .end = i + 1 < phases.size() ? std::min(end, phases[i + 1].after) : end,
                   .schedule_begin = schedule_begin});
  }
  for (size_t i = 0; i + 1 < all.size(); ++i)
    all[i].ends_schedule = all[i].schedule_begin != all[i + 1].schedule_begin;
  return all;
}

// True if the learning rate still rises at the last update.
bool is_in_warm_up(const Stretch& stretch) {
  const int64_t last = stretch.end - stretch.schedule_begin;
  const ScheduleConfig& schedule = *stretch.learning.schedule;
  return schedule.factor(last + 1, {}) > schedule.factor(last, {});
}

void find_unreached_schedule(const RunConfig& config, const Stretch& stretch,
                             std::vector<std::string>& warnings) {
  if (!stretch.ends_schedule) return;
  const ScheduleConfig& schedule = *stretch.learning.schedule;
  const bool starts_anew = !config.init.model || config.init.resets(InitConfig::kSchedule);
  if (starts_anew && is_in_warm_up(stretch))
    warnings.push_back(fmt::format(
        "{}.schedule: the warm-up is longer than its updates; after the last one, {}, the learning "
        "rate is {:.3g} and still rises",
        stretch.path, format_count(stretch.end),
        stretch.learning.optimizer->rate *
            schedule.factor(stretch.end - stretch.schedule_begin, {})));
  const int64_t validations = stretch.end / config.train.validation.every;
  if (const auto* plateau = dynamic_cast<const PlateauSchedule*>(&schedule);
      plateau != nullptr && !config.data.valid.empty() && plateau->patience >= validations)
    warnings.push_back(fmt::format(
        "{}.schedule.patience: {} is never reached by {} validations: the learning rate never "
        "falls",
        stretch.path, format_count(plateau->patience), format_count(validations)));
}

// Losses and inputs that begin after an update.
void find_unreached_beginnings(const Stretch& stretch, std::vector<std::string>& warnings) {
  const LearningConfig& learning = stretch.learning;
  const auto find = [&](const char* key, const auto& part) {
    if (part && part->after >= stretch.end)
      warnings.push_back(fmt::format("{}.{}.after: {} has no effect before update {}, the last one",
                                     stretch.path, key, format_count(part->after),
                                     format_count(stretch.end)));
  };
  find("scheduled_sampling", learning.scheduled_sampling);
  find("sequence_loss", learning.sequence_loss);
}

// Settings of a training that ends after `end` updates.
void find_unreached(const RunConfig& config, int64_t end, std::vector<std::string>& warnings) {
  const ValidateConfig& validation = config.train.validation;
  if (!config.data.valid.empty() && validation.every > end) {
    warnings.push_back(fmt::format(
        "the only validation will be the one at the end: train.validate.every is {}, but "
        "train.max_updates {}",
        format_count(validation.every), format_count(end)));
  } else if (const int64_t most = end / validation.every;
             !config.data.valid.empty() && validation.patience.value_or(0) >= most) {
    warnings.push_back(
        fmt::format("train.validate.patience: {} is never reached by the {} validations of "
                    "train.max_updates: {}",
                    format_count(*validation.patience), format_count(most), format_count(end)));
  }
  for (const Stretch& stretch : stretches_of(config, end)) {
    find_unreached_schedule(config, stretch, warnings);
    find_unreached_beginnings(stretch, warnings);
  }
  for (size_t i = 0; i < config.train.phases.size(); ++i) {
    if (config.train.phases[i].after >= end)
      warnings.push_back(
          fmt::format("train.phases[{}].after: {}: the training ends before that: "
                      "train.max_updates is {}",
                      i, format_count(config.train.phases[i].after), format_count(end)));
  }
}

// True if two passes of a batch are equal: without dropout and without attention that is drawn.
bool is_deterministic(const ModelConfig& model) {
  static const std::set<std::string> drawn = {"hard", "monotonic", "reinforced"};
  return std::ranges::none_of(flatten_config(model), [](const auto& setting) {
    const auto& [key, value] = setting;
    const std::string name = key.substr(key.rfind('.') + 1);
    const bool drops = name == "dropout" || name.ends_with("_dropout");
    return (drops && value != "0.0" && value != "~") || (name == "type" && drawn.contains(value));
  });
}

// True if all corpora together are one group of data/temperature.h.
bool is_one_group(const DataConfig& data) {
  std::set<std::optional<std::string>> tags;
  for (const auto& corpus : data.train) tags.insert(corpus.tag);
  return data.train.size() == 1 || (tags.size() == 1 && tags.begin()->has_value());
}

void find_ineffective(const Stretch& stretch, std::vector<std::string>& warnings) {
  const LearningConfig& learning = stretch.learning;
  if (learning.r_drop > 0 && is_deterministic(stretch.model))
    warnings.push_back(stretch.path +
                       ".r_drop: no effect without dropout: both passes are equal, and training "
                       "takes twice the time; give dropout, or leave it out");
  if (learning.guided_alignment.weight == 0 &&
      learning.guided_alignment.cost != GuidedAlignmentConfig().cost)
    warnings.push_back(stretch.path + ".guided_alignment.cost: no effect with weight 0");
  if (stretch.data.temperature > 1 && is_one_group(stretch.data))
    warnings.emplace_back(
        "data.temperature: no effect on corpora of one tag, or on one corpus; leave it out");
}

void find_ineffective(const SearchConfig& search, std::vector<std::string>& warnings) {
  const SearchConfig usual;
  if (search.diversity_groups == 1 && search.diversity_strength != usual.diversity_strength)
    warnings.emplace_back("search.diversity_strength: no effect with diversity_groups: 1");
  if (search.length_penalty == 0 && search.length_normalization != usual.length_normalization)
    warnings.emplace_back("search.length_normalization: no effect with length_penalty: 0");
}

// True if a BLEU score is computed.
bool has_bleu(const RunConfig& config) {
  const auto samples = [](const LearningConfig& learning) {
    return learning.sequence_loss.has_value();
  };
  const bool is_validated =
      !config.data.valid.empty() &&
      std::ranges::count(config.train.validation.translation_metrics(), "bleu") > 0;
  return is_validated || !config.data.test.empty() || samples(config.train) ||
         std::ranges::any_of(config.phases, samples, &RunPhase::learning);
}

}  // namespace

std::vector<std::string> idle_settings(const RunConfig& config) {
  std::vector<std::string> warnings;
  const std::optional<int64_t>& end = config.train.max_updates;
  if (end) find_unreached(config, *end, warnings);
  for (const Stretch& stretch :
       stretches_of(config, end.value_or(std::numeric_limits<int64_t>::max())))
    find_ineffective(stretch, warnings);
  find_ineffective(config.search, warnings);
  const std::string& tokenizer = config.train.validation.tokenize;
  if (tokenizer != ValidateConfig().tokenize && !config.data.valid.empty() && !has_bleu(config))
    warnings.push_back(fmt::format(
        "train.validate.tokenize: {} has no effect, as no BLEU is computed", tokenizer));
  return warnings;
}

}  // namespace heed
