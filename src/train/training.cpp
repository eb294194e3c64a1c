#include "train/training.h"

#include <ATen/Parallel.h>
#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "data/example.h"
#include "model/admin.h"
#include "model/parameter_names_spec.h"
#include "run/checkpoint_files.h"
#include "train/next_command.h"
#include "train/start_report.h"
#include "train/teacher_forced.h"
#include "train/test_sets.h"
#include "train/training_phases.h"
#include "train/validator.h"

namespace heed {

namespace {

void identify_scores(const TrainJob& job, Validations& validations) {
  if (job.valid)
    validations.now = identity_of_validation(*job.valid, job.train.validation, job.model.search);
}

int leave_interrupted(const TrainJob& job, const Progress& progress, int signal,
                      MetricsFile& metrics) {
  metrics.ended(progress.update, kStopped, "interrupted");
  const std::string saved = progress.update > 0
                                ? "saved " + job.folder.checkpoint(progress.update).string()
                                : "there was nothing to save yet";
  spdlog::info("interrupted; {}. Continue: {}", saved, job.resume_command);
  return exit_code_of(signal);
}

void clear_begin(const Seq2Seq& network) {
  const torch::NoGradGuard no_grad;
  tensors_of(network).at(names::kTargetEmbedding)[kBegin].zero_();
}

// Adapters keep the zeros of the table that they change.
void keep_begin(TrainingState& state) {
  if (state.lora)
    state.lora->keep_row(names::kTargetEmbedding, kBegin);
  else
    state.parameters->keep_zeros(names::kTargetEmbedding, kBegin);
}

// Best first, by the metric of the run.
std::vector<int64_t> ranked(const TrainJob& job, const Progress& progress) {
  return best_updates(progress.validations, job.train.validation.metric,
                      static_cast<int64_t>(progress.validations.size()));
}

}  // namespace

Training::Training(TrainJob its_job, std::optional<ResumePlan> plan)
    : job_(std::move(its_job)), plan_(std::move(plan)) {
  const TrainJob& job = job_;
  HEED_CHECK(job.train.workers.has_value());
  at::globalContext().setFlushDenormal(true);
  Checkpoint checkpoint;
  std::optional<ParameterTransfer> transfer;
  if (plan_) {
    checkpoint = load_checkpoint(plan_->checkpoint, job.device);
    state_.network = checkpoint.model.network;
    state_.progress = checkpoint.progress;
    if (job.restarts_epoch) state_.progress.position.batch = 0;
    identify_scores(job, state_.progress.validations);
    const size_t validations = state_.progress.validations.size();
    forget_former_end(job.train, state_.progress);
    if (state_.progress.validations.size() < validations)
      notes_.push_back(
          fmt::format("forgotten: the validation that the former end, after update {}, had added",
                      format_count(state_.progress.update)));
  } else {
    state_.network = std::make_shared<Seq2Seq>(job.model.model,
                                               vocabulary_sizes(job.model, job.codecs), job.seed);
    if (job.initial) transfer.emplace(job.initial->model, job.model, job.codecs);
    initialize(transfer);
    if (job.model.model.embedding.zero_begin) clear_begin(*state_.network);
    state_.network->to(job.device);
    profile_residuals();
  }
  state_.network->train();
  if (job.train.lora) adapt();
  state_.parameters = std::make_unique<FlatParameters>(*state_.network);
  if (job.model.model.embedding.zero_begin) keep_begin(state_);
  check_frozen();
  if (job.train.average)
    state_.average =
        std::make_unique<ParameterAverage>(*state_.parameters, job.train.average->decay);
  if (plan_ && state_.average)
    state_.average->load_state(checkpoint.parameters, parameters_file(plan_->checkpoint).string());
  // Freezes the parameters themselves, which the average has just restored.
  const size_t phase = phase_of(job.phases, state_.progress.update);
  state_.parameters->freeze(frozen_in(job, *state_.parameters, phase));
  state_.optimizer = build_optimizer(job, state_.trained(), phase);
  if (plan_) {
    state_.optimizer->load_state(checkpoint.optimizer, optimizer_file(plan_->checkpoint).string());
  } else if (transfer && !job.init.resets(InitConfig::kOptimizer)) {
    state_.optimizer->collect();
    state_.optimizer->load_state(
        optimizer_state_from(*job.initial, *transfer, state_.optimizer->state()),
        job.initial->model.folder.string());
    state_.optimizer->release();
  }
  job_.initial.reset();  // frees its memory
  check_longest_lines();
}

void Training::initialize(const std::optional<ParameterTransfer>& transfer) {
  for (const auto& [side, file] : job_.init.embeddings)
    notes_.push_back(initialize_embedding(side, file, job_.codecs, *state_.network));
  if (!transfer) return;
  for (std::string& note : initialize_from(*job_.initial, job_.init, *transfer, *state_.network))
    notes_.push_back(std::move(note));
  state_.progress.earlier_updates = job_.initial->update;
}

void Training::adapt() {
  state_.lora = std::make_unique<Lora>(*job_.train.lora, *state_.network, job_.seed);
  if (plan_) state_.lora->load(adapter_file(plan_->checkpoint), adapted_file(plan_->checkpoint));
  notes_.push_back(state_.lora->note());
}

void Training::profile_residuals() {
  const int64_t count = count_omegas(*state_.network);
  if (count == 0) return;
  if (job_.initial) {
    notes_.emplace_back(
        "norm: admin: the first batch does not initialize ω, which init.model has; if that model "
        "has "
        "none, it is 1");
    return;
  }
  constexpr size_t kSentences = 64;  // enough for a variance
  const BatchPosition first = job_.batches->position();
  std::vector<Example> sentences = examples_of(job_.batches->next());
  job_.batches->seek(first);
  sentences.resize(std::min(kSentences, sentences.size()));
  initialize_omegas(*state_.network, sentences, job_.model.sources);
  notes_.push_back(
      fmt::format("norm: admin: ω of {} residual connections is initialized by {} sentences of the "
                  "first batch",
                  count, sentences.size()));
}

// Checks later phases as well, so that unmatched patterns are reported at once.
void Training::check_frozen() {
  for (size_t phase = 0; phase <= job_.phases.size(); ++phase) {
    if (state_.lora && !job_.learning_of(phase).freeze.empty())
      throw_error(
          ErrorKind::kUsage,
          "{}: train.lora keeps all parameters and trains changes of those that lora.layers "
          "names: leave freeze out",
          freeze_key(phase));
    const size_t frozen = frozen_in(job_, *state_.parameters, phase).size();
    if (frozen == state_.parameters->names().size())
      throw_error(ErrorKind::kUsage, "{}: matches all parameters, so nothing is trained",
                  freeze_key(phase));
    if (frozen > 0)
      notes_.push_back(fmt::format("{}: {} of {} parameter tensors are not trained",
                                   phase == 0 ? std::string("train.freeze")
                                              : fmt::format("train.freeze of phase {}", phase + 1),
                                   frozen, state_.parameters->names().size()));
  }
}

// Computes the loss of the longest line of each validation and test set, if it is longer than all
// training sentences. Lack of memory is then reported before any update.
void Training::check_longest_lines() {
  if (!job_.processes->is_first()) return;
  const auto check = [&](const EvaluationSet& set) {
    if (!exceeds_training(set, job_.model)) return;
    EvaluationSet one;
    one.name = set.name;
    one.examples = {set.longest.example};
    constexpr int64_t kSlow = 2000;  // takes a second or more
    if (set.longest.tokens > kSlow)
      spdlog::info("{}: computing the loss of its longest line, of {} tokens, to see that it fits",
                   set.name, format_count(set.longest.tokens));
    OneProcess alone;
    try {
      teacher_forced(job_.model_of(state_.network), one, {.workers = 1, .processes = alone});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kFailure) throw;
      throw_error(ErrorKind::kData,
                  "{}: {} has {} tokens, which need more memory than there is ({}); the longest "
                  "source of the training has {}; split the line, or leave it out",
                  set.name, set.longest.place, format_count(set.longest.tokens),
                  format_bytes(machine_memory()), format_count(*job_.model.max_length));
    }
  };
  if (job_.valid) check(*job_.valid);
  for (const EvaluationSet& set : job_.tests) check(set);
}

int Training::run() {
  const bool writes = job_.processes->is_first();
  const auto whole = plan_ && writes
                         ? repair_run(job_.folder, *plan_, ranked(job_, state_.progress))
                         : std::set<int64_t>();
  const auto events = job_.train.tensorboard ? std::optional(job_.folder.events()) : std::nullopt;
  MetricsFile metrics =
      writes ? MetricsFile(job_.folder.metrics(), state_.progress, events) : MetricsFile();
  log_start(job_, state_, notes_, plan_ ? &*plan_ : nullptr);
  try {
    return train(metrics, whole);
  } catch (const Interrupted&) {
    return leave_interrupted(job_, state_.progress, caught_signal(), metrics);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kDiverged)
      metrics.ended(state_.progress.update, kDiverged, error.what());
    throw;
  }
}

int Training::train(MetricsFile& metrics, const std::set<int64_t>& whole) {
  const auto limit = reached_limit(job_.train, state_.progress);
  const bool lacks_validation =
      job_.valid && (validation_is_due(job_.train.validation, state_.progress) ||
                     (limit && validation_is_due_at_end(*limit, state_.progress)));
  std::string reason;
  if (plan_ && limit && !lacks_validation) {
    reason = limit->reason;
    spdlog::info("nothing is left to train: {}", reason);
    // A process that was killed after its last checkpoint did not delete older ones.
    if (job_.processes->is_first()) checkpoints_of(job_, state_, whole).save(state_.progress);
  } else {
    const Ending ending = train_phases(job_, state_, metrics, whole);
    if (ending.signal != 0) return leave_interrupted(job_, state_.progress, ending.signal, metrics);
    reason = ending.reason;
  }
  score_tests(job_, state_.progress, metrics);
  metrics.ended(state_.progress.update, kFinished, reason);
  spdlog::info("done; next: {}", next_command(job_.folder.folder(), job_.model));
  return 0;
}

}  // namespace heed
