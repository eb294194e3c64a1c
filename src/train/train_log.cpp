#include "train/train_log.h"

#include "base/interrupt.h"
#include "base/log.h"
#include "train/time_left.h"

namespace heed {

namespace {

constexpr double kRedrawSeconds = 0.2;

// "1,200" or "1,200 of 6,000"
std::string count_of(int64_t count, const std::optional<int64_t>& limit) {
  return limit ? fmt::format("{} of {}", format_count(count), format_count(*limit))
               : format_count(count);
}

}  // namespace

RunLog::RunLog(MetricsFile& metrics, const TrainConfig& config, int64_t examples_per_epoch,
               const Progress& start)
    : metrics_(metrics),
      config_(config),
      examples_per_epoch_(examples_per_epoch),
      last_seconds_(start.seconds),
      last_tokens_(start.since_log.tokens) {}

RunLog::~RunLog() { end_progress(); }

double RunLog::speed() const { return seconds_ > 0 ? static_cast<double>(tokens_) / seconds_ : 0; }

std::string RunLog::left(const Progress& progress) const {
  const auto seconds = time_left(config_, progress, examples_per_epoch_);
  return seconds && *seconds > 0 ? fmt::format(", {} left", format_duration(*seconds)) : "";
}

std::string RunLog::reached(const Progress& progress) const {
  const auto fraction = fraction_done(config_, progress, examples_per_epoch_);
  return fmt::format("update {}, epoch {}{}", count_of(progress.update, config_.max_updates),
                     count_of(progress.epoch(), config_.max_epochs),
                     fraction ? fmt::format(", {}% done", static_cast<int>(100 * *fraction)) : "");
}

void RunLog::tick(const Progress& progress) {
  seconds_ += progress.seconds - last_seconds_;
  tokens_ += progress.since_log.tokens - last_tokens_;
  last_seconds_ = progress.seconds;
  last_tokens_ = progress.since_log.tokens;
  if (progress.seconds - last_drawn_ < kRedrawSeconds || last_tokens_ == 0) return;
  draw(progress);
}

void RunLog::draw(const Progress& progress) {
  last_drawn_ = progress.seconds;
  show_progress(fmt::format("{}: loss {:.4f}, {} tokens/s{}", reached(progress),
                            progress.since_log.per_token(progress.since_log.loss),
                            format_count(static_cast<int64_t>(speed())), left(progress)));
}

Throughput RunLog::throughput_since(const UpdateReport& report) {
  const double waited =
      report.waited - std::min(last_waited_, report.waited);  // each phase begins at 0
  last_waited_ = report.waited;
  return {.tokens_per_second = speed(), .waiting = seconds_ > 0 ? waited / seconds_ : 0};
}

void RunLog::updates(const Progress& progress, const UpdateReport& report) {
  const TokenSums& sums = progress.since_log;
  const Throughput throughput = throughput_since(report);
  metrics_.updates(progress, report, throughput);
  draw(progress);  // not older than the line above it
  const std::string waiting =
      throughput.waiting > 0
          ? fmt::format("{:.0f}% waiting for processes, ", 100 * throughput.waiting)
          : "";
  spdlog::info(
      "{}: loss {:.4f}, accuracy {:.2f}%, learning rate {:.3g}, gradient norm {:.3g}, {} tokens/s, "
      "{}{}{}",
      reached(progress), sums.per_token(sums.loss),
      100 * sums.per_token(static_cast<double>(sums.correct)), report.rate, report.gradient_norm,
      format_count(static_cast<int64_t>(speed())), waiting, format_duration(progress.seconds),
      left(progress));
  seconds_ = 0;
  tokens_ = last_tokens_ = 0;
}

void RunLog::skipped(const Progress& progress, const std::string& reason) {
  spdlog::warn("update {} is skipped: {} ({} so far)", format_count(progress.update), reason,
               progress.skipped);
}

void RunLog::validates_at_end(const Progress& progress, const std::string& reason) {
  spdlog::info("{}; validates {}at the end, after update {}", reason,
               progress.validations.empty() ? "" : "once more ", format_count(progress.update));
}

void RunLog::validated(const Progress& progress, const std::vector<Sample>& samples) {
  const Validation& validation = progress.validations.back();
  const ValidationMetric& metric = config_.validation.metric;
  const bool is_best = best_of(progress.validations, metric) == &validation;
  metrics_.validated(validation, is_best, progress.seconds);
  spdlog::info("validation after update {}: {}{}", format_count(validation.update),
               describe(validation), is_best ? fmt::format("; best {}", metric.name) : "");
  if (validation.cut.any() && told_of_cuts_.insert(validation.cut.repeats()).second)
    spdlog::warn("validation: {}", explain(validation.cut));
  for (const Sample& sample : samples) {
    spdlog::info("  source:      {}", sample.source);
    spdlog::info("  reference:   {}", sample.reference);
    spdlog::info("  translation: {}", sample.translation);
  }
  last_seconds_ = progress.seconds;
}

void RunLog::saved(const Progress& progress) {
  spdlog::debug("checkpoint of update {} is saved", format_count(progress.update));
  last_seconds_ = progress.seconds;
}

void RunLog::ended(const Progress& progress, const std::string& reason) {
  end_progress();
  spdlog::info("training ends: {}", reason);
  spdlog::info(
      "{} updates, {} examples, {}{}", format_count(progress.update),
      format_count(progress.examples), format_duration(progress.seconds),
      progress.skipped > 0 ? fmt::format("; {} updates were skipped", progress.skipped) : "");
  const ValidationMetric& metric = config_.validation.metric;
  if (const Validation* best = best_of(progress.validations, metric)) {
    spdlog::info("best validation by {} after update {}: {}", metric.name,
                 format_count(best->update), describe(*best));
  }
  if (progress.validations.empty() || caught_signal() != 0) return;
  const int64_t after = progress.update - progress.validations.back().update;
  if (after > 0)
    spdlog::info("the last {} updates were not validated (validate.every: {}), so `best` is older",
                 format_count(after), format_count(config_.validation.every));
}

}  // namespace heed
