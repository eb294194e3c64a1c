#include "train/start_report.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/log.h"
#include "nn/product.h"

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

int64_t size_of(const Seq2Seq& network) {
  int64_t size = 0;
  for (const auto& [name, parameter] : unique_parameters(network)) size += parameter.numel();
  return size;
}

}  // namespace

void log_start(const TrainJob& job, const TrainingState& state,
               const std::vector<std::string>& notes, const ResumePlan* plan) {
  const int64_t processes = job.processes->processes();
  spdlog::info("{}: {} parameters, {}{} with {} worker{}, {}", job.folder.folder().string(),
               format_count(size_of(*state.network)),
               processes == 1 ? "" : fmt::format("{} processes, each on ", processes),
               job.device.str(), *job.train.workers, *job.train.workers == 1 ? "" : "s",
               precision_name(job.train.precision));
  if (job.train.precision == TrainPrecision::kBf16 && job.device.is_cpu() && !has_bf16_products())
    spdlog::warn("train.precision: products in bf16 are not fast on this processor; {}",
                 plan != nullptr ? "the run keeps the precision of its start" : "fp32 is faster");
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : notes) spdlog::info("{}", note);
  for (const TrainPhase& phase : job.phases) {
    if (phase.after >= state.progress.update) spdlog::info("{}", phase.description);
  }
  if (plan == nullptr) return;
  for (const std::string& remark : plan->remarks) spdlog::warn("{}", remark);
  warn_of_incomparable(job, state.progress.validations);
  spdlog::info("resumed after update {} from {}{}", format_count(state.progress.update),
               plan->checkpoint.string(),
               plan->remarks.empty() ? "" : ", the newest intact checkpoint");
}

}  // namespace heed
