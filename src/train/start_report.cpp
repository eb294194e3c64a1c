#include "train/start_report.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/log.h"
#include "model/model_spec.h"
#include "nn/product.h"
#include "train/length_limits.h"

namespace heed {

namespace {

void warn_of_incomparable(const TrainJob& job, const Validations& validations) {
  const ValidationMetric& metric = job.train.validation.metric;
  const int64_t count = incomparable(validations, metric);
  if (count == 0 || !validations.now.is_known()) return;
  const Validation& last = validations.back();
  const char* reason = last.identity.set != validations.now.set ? "on another validation set"
                       : !last.score(metric).has_value()        ? "without this metric"
                                                         : "with other settings of it or of search";
  spdlog::warn(
      "{} of {} validations so far cannot be compared with the next ones by {}, as they were made "
      "{}: patience, plateau and the best checkpoint begin anew{}",
      count, validations.size(), metric.name, reason,
      best_of(validations, metric) == nullptr ? "; `best` stays as it is until the next validation"
                                              : "");
}

// Warns of limits that training and its scores silently run into: positions of the model, and
// lengths of search.
void warn_of_limits(const TrainJob& job) {
  const KnownLengths known{.trained = job.model.max_length,
                           .source_positions = learned_positions(job.model.model, "encoder"),
                           .target_positions = learned_positions(job.model.model, "decoder"),
                           .scored_positions = scored_positions(job.model.model)};
  const auto& positions = known.source_positions;
  if (positions && job.model.max_length.value_or(0) > *positions)
    spdlog::warn(
        "the longest source of the training has {} tokens, but max_positions of the encoder is {}: "
        "later tokens share the last position",
        format_count(*job.model.max_length), format_count(*positions));
  if (const auto& scored = known.scored_positions;
      scored && job.model.max_length.value_or(0) > *scored)
    spdlog::warn(
        "the longest source of the training has {} tokens, but max_positions of score: "
        "location_based is {}: later tokens are not read",
        format_count(*job.model.max_length), format_count(*scored));
  if (job.model.sources.empty()) return;
  const auto warn = [&](const EvaluationSet& set) {
    for (const std::string& line : find_cuts(set, job.model.search, known))
      spdlog::warn("{}", line);
  };
  if (job.valid && job.train.validation.translates()) warn(*job.valid);
  for (const EvaluationSet& set : job.tests) warn(set);
}

}  // namespace

void log_start(const TrainJob& job, const TrainingState& state,
               const std::vector<std::string>& notes, const ResumePlan* plan) {
  const int64_t processes = job.processes->processes();
  spdlog::info("{}: {} parameters, {}{} with {} worker{}, {}", job.folder.folder().string(),
               format_count(state.parameters->count()),
               processes == 1 ? "" : fmt::format("{} processes, each on ", processes),
               job.device.str(), *job.train.workers, *job.train.workers == 1 ? "" : "s",
               precision_name(job.train.precision));
  if (job.train.precision == TrainPrecision::kBf16 && job.device.is_cpu() && !has_bf16_products())
    spdlog::warn("train.precision: products in bf16 are not fast on this processor; {}",
                 plan != nullptr ? "the run keeps the precision of its start" : "fp32 is faster");
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : notes) spdlog::info("{}", note);
  if (job.valid &&
      job.train.max_updates.value_or(job.train.validation.every) < job.train.validation.every)
    spdlog::warn(
        "the only validation will be the one at the end: train.validate.every is {}, but "
        "train.max_updates {}",
        format_count(job.train.validation.every), format_count(*job.train.max_updates));
  warn_of_limits(job);
  for (const TrainPhase& phase : job.phases) {
    if (phase.after >= state.progress.update) spdlog::info("{}", phase.description);
    if (phase.after >= job.train.max_updates.value_or(phase.after + 1))
      spdlog::warn("the training ends before that: train.max_updates is {}",
                   format_count(*job.train.max_updates));
  }
  if (plan == nullptr) return;
  for (const std::string& remark : plan->remarks) spdlog::warn("{}", remark);
  warn_of_incomparable(job, state.progress.validations);
  spdlog::info("resumed after update {} from {}{}", format_count(state.progress.update),
               plan->checkpoint.string(),
               plan->remarks.empty() ? "" : ", the newest intact checkpoint");
}

}  // namespace heed
