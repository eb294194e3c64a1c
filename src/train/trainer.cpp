#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "search/not_a_number.h"

namespace heed {

namespace {

// Nats a target token. A model that takes each of a billion tokens for equally likely has 21.
constexpr double kMostLoss = 1e4;

// A phrase for a mean loss that is absurd; "" for any other. A loss of whole sentences says little of
// the model: it may be 0 where all samples are the same.
std::string fault_of_loss(const TokenSums& sums) {
  const double loss = sums.per_token(sums.loss),
               of_tokens = sums.per_token(sums.negative_log_probability);
  if (!std::isfinite(loss) || std::isnan(of_tokens)) return "is not finite";
  // A distribution may give a token the probability 0.
  const double most = std::isfinite(of_tokens) ? std::max(loss, of_tokens) : loss;
  return most > kMostLoss ? fmt::format("is {:.3g} nats a token", most) : "";
}

}  // namespace

bool validation_is_due(const ValidateConfig& config, const Progress& progress) {
  return progress.update > 0 && progress.update % config.every == 0 && !progress.validated();
}

std::optional<Ending> reached_limit(const TrainConfig& config, const Progress& progress) {
  const auto ending = [](std::string reason) { return Ending{std::move(reason)}; };
  if (config.max_updates && progress.update >= *config.max_updates) {
    return ending(fmt::format("max_updates: {} is reached", *config.max_updates));
  }
  if (config.max_epochs && progress.position.epoch >= *config.max_epochs) {
    return ending(fmt::format("max_epochs: {} is reached", *config.max_epochs));
  }
  if (config.max_time && progress.seconds >= *config.max_time) {
    return ending(fmt::format("max_time: {} is reached", format_duration(*config.max_time)));
  }
  const ValidateConfig& validation = config.validation;
  if (validation.patience) {
    const int64_t waited = since_best(progress.validations, validation.metric);
    if (waited >= *validation.patience) {
      return Ending{.reason = fmt::format("no better {} in the last {} validations (patience: {})",
                                          validation.metric.name, waited, *validation.patience),
                    .by_patience = true};
    }
  }
  return std::nullopt;
}

bool validation_is_due_at_end(const Ending& ending, const Progress& progress) {
  return !ending.by_patience && progress.update > 0 && !progress.validated();
}

void forget_former_end(const TrainConfig& config, Progress& progress) {
  if (!reached_limit(config, progress))
    progress.validations = without_ends(std::move(progress.validations));
}

Trainer::Trainer(const TrainConfig& config, const Span& span, TrainerParts parts, Progress progress)
    : config_(config),
      span_(span),
      parts_(parts),
      progress_(std::move(progress)),
      saved_(progress_.update),
      last_time_(parts_.clock.now()) {
  parts_.batches.seek(progress_.position);
}

Ending Trainer::run() {
  Ending ending;
  try {
    for (;;) {
      if (parts_.validator != nullptr && validation_is_due(config_.validation, progress_))
        validate(/*at_end=*/false);
      if (save_is_due()) save();
      if (is_interrupted()) throw Interrupted();
      const auto limit = reached_limit(config_, progress_);
      if (parts_.reducer.any(limit.has_value())) {  // clocks differ
        ending = limit.value_or(Ending{"a limit is reached in another process"});
        validate_at_end(ending);
        break;
      }
      ending.of_phase = span_.end && progress_.update >= *span_.end;
      if (ending.of_phase) break;
      update();
    }
  } catch (const Interrupted&) {
    ending = {"interrupted", caught_signal() != 0 ? caught_signal() : SIGTERM};
  }
  if (changed_) save();
  if (!ending.of_phase) parts_.log.ended(progress_, ending.reason);
  return ending;
}

bool Trainer::is_interrupted() const { return parts_.reducer.any(caught_signal() != 0); }

bool Trainer::save_is_due() const {
  if (!changed_) return false;
  return newly_validated_ || (config_.save_every && progress_.skipped_in_a_row == 0 &&
                              progress_.update % *config_.save_every == 0);
}

void Trainer::update() {
  Update update{.number = progress_.update + 1, .baseline = progress_.baseline};
  for (int64_t i = 0; i < span_.learning.accumulate; ++i) {
    if (i > 0 && is_interrupted()) throw Interrupted();
    update.add(parts_.batches.next());
  }
  const TokenSums sums = parts_.workers.gradient(update);
  const double norm = parts_.stepper.gradient_norm();

  changed_ = true;
  progress_.update += 1;
  progress_.examples += sums.examples;
  progress_.position = parts_.batches.position();
  const UpdateReport report{.rate = span_.learning.optimizer->rate * schedule_factor(),
                            .gradient_norm = norm,
                            .waited = parts_.workers.waited()};
  if (!std::isfinite(sums.loss)) {
    skip("the loss is not finite");
  } else if (!std::isfinite(norm)) {
    skip("the gradient norm is not finite");
  } else {
    take_step(report);
    unchecked_ = std::move(update);
    progress_.since_log += sums;
    move_baseline(-sums.per_token(sums.negative_log_probability));
  }
  keep_time();
  parts_.log.tick(progress_);
  if (progress_.update % config_.log_every == 0) {
    parts_.log.updates(progress_, report);
    progress_.since_log = {};
  }
}

void Trainer::move_baseline(double log_probability) {
  constexpr double kKept = 0.9;
  progress_.baseline = progress_.baseline
                           ? kKept * *progress_.baseline + (1 - kKept) * log_probability
                           : log_probability;
}

double Trainer::schedule_factor() const {
  const int64_t begin = span_.schedule_begin;
  const int64_t update = begin > 0 ? progress_.update - begin : progress_.updates_of_schedule();
  return span_.learning.schedule->factor(
      update, scores_of(progress_.validations, config_.validation.metric, begin));
}

void Trainer::take_step(const UpdateReport& report) {
  const double clip = span_.learning.clip, norm = report.gradient_norm;
  parts_.stepper.step(report.rate, clip > 0 && norm > clip ? clip / norm : 1.0);
  progress_.skipped_in_a_row = 0;
}

void Trainer::skip(const std::string& reason) {
  progress_.skipped += 1;
  progress_.skipped_in_a_row += 1;
  parts_.log.skipped(progress_, reason);
  if (progress_.skipped_in_a_row < config_.max_skipped) return;
  diverged(fmt::format("{}, {} updates in a row", reason, progress_.skipped_in_a_row));
}

void Trainer::diverged(const std::string& reason) const {
  const std::string saved =
      saved_ == 0 ? "no checkpoint was saved"
                  : fmt::format("the checkpoint of update {} is the last", format_count(saved_));
  throw_error(ErrorKind::kDiverged,
              "training diverged: update {}: {}; {}; start another run with a lower learning rate "
              "or train.clip, or a longer warm-up{}",
              progress_.update, reason, saved,
              saved_ == 0 ? ""
                          : "; to start from a checkpoint of this run, set init.model in the new "
                            "one");
}

// Large parameters may be finite, and the loss that they give is not.
void Trainer::require_sound() {
  const auto found = parts_.stepper.not_finite();
  if (parts_.reducer.any(found.has_value()))
    diverged(fmt::format("{} is not finite", found.value_or("the state of the optimizer")));
  if (progress_.update > 0 && progress_.skipped == progress_.update)
    diverged("the loss or the gradient norm was not finite in any update, so nothing is trained");
  if (!unchecked_) return;
  const TokenSums sums = parts_.workers.gradient_again(*unchecked_);
  const std::string fault = fault_of_loss(sums);
  if (!fault.empty())
    diverged(fmt::format("the loss of the last batch, after the step that it gave, {}", fault));
  if (!std::isfinite(parts_.stepper.gradient_norm()))
    diverged("the gradient norm of the last batch, after the step that it gave, is not finite");
  unchecked_.reset();
}

ValidationReport Trainer::validation_report() const try {
  return parts_.validator->validate(progress_.update);
} catch (const NotANumber&) {
  diverged("in the validation the model gives probabilities that are not numbers");
}

void Trainer::validate_at_end(const Ending& ending) {
  const bool is_due = parts_.validator != nullptr && validation_is_due_at_end(ending, progress_);
  if (!parts_.reducer.any(is_due)) return;
  parts_.log.validates_at_end(progress_, ending.reason);
  validate(/*at_end=*/true);
}

void Trainer::validate(bool at_end) {
  require_sound();
  ValidationReport report = validation_report();
  report.scores.at_end = at_end;
  // A distribution may give a token the probability 0: that loss is infinite.
  if (std::isnan(report.scores.loss)) diverged("the validation loss is not a number");
  progress_.validations.push_back(report.scores);
  changed_ = newly_validated_ = true;
  keep_time();
  parts_.log.validated(progress_, report.samples);
}

void Trainer::save() {
  require_sound();
  parts_.checkpoints.save(progress_);
  saved_ = progress_.update;
  changed_ = newly_validated_ = false;
  keep_time();
  parts_.log.saved(progress_);
}

void Trainer::keep_time() {
  const double now = parts_.clock.now();
  progress_.seconds += now - last_time_;
  last_time_ = now;
}

}  // namespace heed
