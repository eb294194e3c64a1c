#include "train/run.h"

#include <ATen/Parallel.h>
#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/model_folder.h"
#include "base/printable.h"
#include "config/settings_tree.h"
#include "config/sizes.h"
#include "config/writer.h"
#include "distributed/gathered.h"
#include "model/model_spec.h"
#include "network/network_model.h"
#include "nn/product.h"
#include "search/not_a_number.h"
#include "train/checkpoints.h"
#include "train/length_limits.h"
#include "train/metrics_file.h"
#include "train/next_command.h"
#include "train/parameter_pattern.h"
#include "train/resume.h"
#include "train/sequence_objective.h"
#include "train/steady_clock.h"
#include "train/teacher_forced.h"
#include "train/train_log.h"
#include "train/trainer.h"
#include "train/translated_text.h"
#include "train/validator.h"
#include "train/workers.h"

namespace heed {

struct RunInMemory {
  std::shared_ptr<Seq2Seq> network;
  std::unique_ptr<FlatParameters> parameters;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<ParameterAverage> average;  // nullptr: parameters are not averaged
  Progress progress;
};

const Seq2Seq& PreparedRun::network() const { return *state_->network; }

namespace {

NetworkModel network_model_of(const TrainJob& job, std::shared_ptr<Seq2Seq> network) {
  return network_model({{{.folder = job.folder.folder(), .config = job.model, .codecs = job.codecs},
                         std::move(network)}});
}

void identify_scores(const TrainJob& job, Validations& validations) {
  if (job.valid)
    validations.now = identity_of_validation(*job.valid, job.train.validation, job.model.search);
}

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
                           .target_positions = learned_positions(job.model.model, "decoder")};
  const auto& positions = known.source_positions;
  if (positions && job.model.max_length.value_or(0) > *positions)
    spdlog::warn(
        "the longest source of the training has {} tokens, but max_positions of the encoder is {}: "
        "later tokens share the last position",
        format_count(*job.model.max_length), format_count(*positions));
  if (job.model.sources.empty()) return;
  const auto warn = [&](const EvaluationSet& set) {
    for (const std::string& line : find_cuts(set, job.model.search, known))
      spdlog::warn("{}", line);
  };
  if (job.valid && job.train.validation.translates()) warn(*job.valid);
  for (const EvaluationSet& set : job.tests) warn(set);
}

void log_start(const TrainJob& job, const RunInMemory& state, const std::vector<std::string>& notes,
               const std::optional<ResumePlan>& plan) {
  const int64_t processes = job.processes->processes();
  spdlog::info("{}: {} parameters, {}{} with {} worker{}, {}", job.folder.folder().string(),
               format_count(state.parameters->count()),
               processes == 1 ? "" : fmt::format("{} processes, each on ", processes),
               job.device.str(), *job.train.workers, *job.train.workers == 1 ? "" : "s",
               precision_name(job.train.precision));
  if (job.train.precision == TrainPrecision::kBf16 && job.device.is_cpu() && !has_bf16_products())
    spdlog::warn("train.precision: products in bf16 are not fast on this processor; {}",
                 plan ? "the run keeps the precision of its start" : "fp32 is faster");
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
  if (!plan) return;
  for (const std::string& remark : plan->remarks) spdlog::warn("{}", remark);
  warn_of_incomparable(job, state.progress.validations);
  spdlog::info("resumed after update {} from {}{}", format_count(state.progress.update),
               plan->checkpoint.string(),
               plan->remarks.empty() ? "" : ", the newest intact checkpoint");
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

// Best first, by the metric of the run.
std::vector<int64_t> ranked(const TrainJob& job, const Progress& progress) {
  return best_updates(progress.validations, job.train.validation.metric,
                      static_cast<int64_t>(progress.validations.size()));
}

RunCheckpoints checkpoints_of(const TrainJob& job, const RunInMemory& state,
                              const std::set<int64_t>& whole) {
  return {job.folder,
          job.train,
          {job.model, job.codecs, *state.network, *state.optimizer, job.data, state.average.get()},
          whole};
}

// Store of several processes: all collect the state of the optimizer, and the one that has a store
// saves.
class CheckpointsOfProcesses final : public CheckpointStore {
 public:
  CheckpointsOfProcesses(Optimizer& optimizer, CheckpointStore* store)
      : optimizer_(optimizer), store_(store) {}
  void save(const Progress& progress) override {
    optimizer_.collect();
    if (store_ != nullptr) store_->save(progress);
    optimizer_.release();
  }

 private:
  Optimizer& optimizer_;
  CheckpointStore* store_;
};

Parallelism parallelism_of(const TrainJob& job) {
  return {.workers = *job.train.workers, .processes = *job.processes};
}

const LearningConfig& learning_of(const TrainJob& job, size_t phase) {
  return phase == 0 ? job.train : job.phases[phase - 1].learning;
}

BatchStream& batches_of(const TrainJob& job, size_t phase) {
  return phase == 0 ? *job.batches : *job.phases[phase - 1].batches;
}

CrossEntropyOptions token_settings(const TrainJob& job, const LearningConfig& learning) {
  return {.label_smoothing = learning.label_smoothing,
          .coverage = learning.coverage,
          .guided_alignment = learning.guided_alignment,
          .r_drop = learning.r_drop,
          .scheduled_sampling = learning.scheduled_sampling,
          .given = job.codecs.at(kTargetSide)->opening() ? 1 : 0,
          .bf16 = job.train.precision == TrainPrecision::kBf16};
}

std::unique_ptr<Objective> whole_objective(const TrainJob& job, const LearningConfig& learning) {
  const std::vector<std::string>& sources = job.model.sources;
  const auto& sequences = learning.sequence_loss;
  if (!sequences) return std::make_unique<CrossEntropy>(sources, token_settings(job, learning));
  const TargetCost cost(sequences->metric, job.train.validation.metric_options(),
                        job.codecs.at(kTargetSide));
  return std::make_unique<SequenceObjective>(sources, *sequences, cost, job.model.search,
                                             token_settings(job, learning));
}

std::unique_ptr<Objective> objective_of(const TrainJob& job, const LearningConfig& learning) {
  auto objective = whole_objective(job, learning);
  if (!job.train.gradient_checkpointing) return objective;
  return std::make_unique<RecomputingObjective>(std::move(objective));
}

std::string freeze_key(size_t phase) {
  return phase == 0 ? "train.freeze" : fmt::format("train.phases[{}].train.freeze", phase - 1);
}

std::set<std::string> frozen_in(const TrainJob& job, const FlatParameters& parameters,
                                size_t phase) {
  return selected(learning_of(job, phase).freeze, parameters.names(), freeze_key(phase).c_str());
}

// Network for training, with the dropout probabilities of the phase.
std::shared_ptr<Seq2Seq> network_of(const TrainJob& job, const RunInMemory& state, size_t phase) {
  const ModelConfig& first = job.model.model;
  const ModelConfig& own = phase == 0 ? first : job.phases[phase - 1].model;
  if (equal(own, first)) return state.network;
  auto network = state.network->replica(own);
  state.parameters->attach(*network, state.parameters->gradient());
  network->train();
  return network;
}

bool are_equal(const OptimizerConfig& a, const OptimizerConfig& b) {
  return a.type == b.type && equal(a, b);
}

std::unique_ptr<Optimizer> build_optimizer(const TrainJob& job, const RunInMemory& state,
                                           size_t phase) {
  return build(*learning_of(job, phase).optimizer,
               job.train.shard_optimizer ? ParameterShard(*state.parameters, *job.processes)
                                         : ParameterShard(*state.parameters));
}

// Begins a phase at the end of the previous one.
void enter(const TrainJob& job, RunInMemory& state, size_t phase) {
  const TrainPhase& now = job.phases[phase - 1];
  spdlog::info("begins: {}", now.description);
  state.parameters->freeze(frozen_in(job, *state.parameters, phase));
  const OptimizerConfig& optimizer = *now.learning.optimizer;
  if (now.resets_optimizer || !are_equal(*learning_of(job, phase - 1).optimizer, optimizer)) {
    auto fresh = build_optimizer(job, state, phase);
    if (!now.resets_optimizer) {
      state.optimizer->collect();
      fresh->load_state(state.optimizer->state(), now.description);
    }
    state.optimizer = std::move(fresh);
  }
  if (&batches_of(job, phase) != &batches_of(job, phase - 1))
    state.progress.position = next_epoch(state.progress.position);
}

Span span_of(const TrainJob& job, size_t phase) {
  Span span{.learning = learning_of(job, phase),
            .schedule_begin = schedule_begin(job.phases, phase)};
  if (phase < job.phases.size()) span.end = job.phases[phase].after;
  return span;
}

// Warns if a schedule ends before the updates do.
void note_lowest_rate(const TrainJob& job, const Span& span, const Progress& progress) {
  const auto settles = span.learning.schedule->constant_from();
  if (!settles) return;
  const int64_t begin = span.schedule_begin > 0 ? span.schedule_begin : -progress.earlier_updates;
  const auto end = span.end ? span.end : job.train.max_updates;
  if (end && *end <= *settles + begin) return;
  spdlog::warn("the learning rate stays at its minimum, {:.3g}, from update {} on",
               span.learning.optimizer->rate * span.learning.schedule->factor(*settles, {}),
               format_count(std::max<int64_t>(1, *settles + begin)));
}

// Parts that all phases have in common.
struct CommonParts {
  Validator* validator;
  RunLog& log;
  Clock& clock;
  Reducer& reducer;
  std::set<int64_t> whole;  // updates whose checkpoints are intact
};

Ending train_phase(const TrainJob& job, RunInMemory& state, size_t phase, CommonParts& common) {
  const LearningConfig& learning = learning_of(job, phase);
  const std::unique_ptr<Objective> objective = objective_of(job, learning);
  SummedWorkers workers(make_workers(network_of(job, state, phase), *state.parameters, *objective,
                                     job.seed, *job.train.workers),
                        *state.parameters, common.reducer, job.train.reduction);
  BatchStream& batches = batches_of(job, phase);
  batches.divide({.workers = *job.train.workers,
                  .rank = common.reducer.rank(),
                  .processes = common.reducer.processes()});
  std::optional<AveragingStepper> stepper;
  if (state.average) stepper.emplace(*state.optimizer, *state.average);
  RunCheckpoints run_checkpoints = checkpoints_of(job, state, common.whole);
  CheckpointsOfProcesses checkpoints(*state.optimizer,
                                     common.reducer.is_first() ? &run_checkpoints : nullptr);
  const Span span = span_of(job, phase);
  note_lowest_rate(job, span, state.progress);
  Trainer trainer(job.train, span,
                  {.batches = batches,
                   .workers = workers,
                   .stepper = stepper ? static_cast<Stepper&>(*stepper) : *state.optimizer,
                   .validator = common.validator,
                   .checkpoints = checkpoints,
                   .log = common.log,
                   .clock = common.clock,
                   .reducer = common.reducer},
                  state.progress);
  try {
    const Ending ending = trainer.run();
    state.progress = trainer.progress();
    common.whole = run_checkpoints.whole();
    return ending;
  } catch (const Error&) {
    state.progress = trainer.progress();
    throw;
  }
}

Ending train(const TrainJob& job, RunInMemory& state, MetricsFile& metrics,
             const std::set<int64_t>& whole) {
  Reducer& reducer = *job.processes;
  reducer.broadcast(state.parameters->values());
  std::optional<ModelValidator> validator;
  if (job.valid) {
    validator.emplace(network_model_of(job, state.network), *job.valid, job.train.validation,
                      job.model.search, parallelism_of(job));
  }
  std::optional<ValidatorOfAverage> validator_of_average;
  if (validator && state.average) validator_of_average.emplace(*validator, *state.average);
  Validator* validating = validator ? &*validator : nullptr;
  if (validator_of_average) validating = &*validator_of_average;
  RunLog log(metrics, job.train, job.examples_per_epoch, state.progress);
  SteadyClock clock;
  CommonParts common{validating, log, clock, reducer, whole};
  for (size_t phase = phase_of(job.phases, state.progress.update);; ++phase) {
    const Ending ending = train_phase(job, state, phase, common);
    if (!ending.of_phase) return ending;
    enter(job, state, phase + 1);
  }
}

// Perplexity of a language model, which is scored by its loss on the text.
TextScore perplexity_of(const NetworkModel& model, const EvaluationSet& set,
                        const Parallelism& parallelism) {
  const TokenSums sums = teacher_forced(model, set, parallelism);
  const double loss = sums.per_token(sums.negative_log_probability);
  if (std::isnan(loss)) throw_not_a_number();
  return {.metric = "perplexity",
          .value = std::exp(loss),
          .line = fmt::format("perplexity {:.2f} ({} tokens of loss {:.4f})", std::exp(loss),
                              format_count(sums.tokens), loss),
          .signature = ""};
}

std::vector<TextScore> test_scores(const TrainJob& job, const NetworkModel& model,
                                   const EvaluationSet& set) {
  const Parallelism parallelism = parallelism_of(job);
  if (model.sources.empty()) return {perplexity_of(model, set, parallelism)};
  const TranslatedText text = translate(model, source_lines(set), job.model.search, parallelism);
  std::vector<TextScore> scores;
  for (const std::string& metric : job.train.validation.test_metrics())
    scores.push_back(score_text(job.train.validation, metric, text.lines, set));
  for (TextScore& score : scores) score.cut = text.cut;
  return scores;
}

// update: that of the checkpoint. Throws Error(kDiverged) if the model gives NaN, although it was
// sound when it was saved.
std::vector<TextScore> scores_of_test(const TrainJob& job, const NetworkModel& model,
                                      const EvaluationSet& set, int64_t update) try {
  return test_scores(job, model, set);
} catch (const NotANumber&) {
  throw_error(ErrorKind::kDiverged,
              "training diverged: on the test set {} the checkpoint of update {} gives "
              "probabilities that are not numbers; start another run with a lower learning rate or "
              "train.clip, or a longer warm-up",
              set.name, format_count(update));
}

ScoreIdentity identity_of_test(const TrainJob& job, const EvaluationSet& set) {
  if (job.model.sources.empty()) return identity_of(set, {}, job.train.validation, {});
  return identity_of(set, job.train.validation.test_metrics(), job.train.validation,
                     job.model.search);
}

// Test sets that are not yet scored at this end of the run, according to the first process. Scores
// of earlier versions have no identity; they count as present scores.
std::vector<const EvaluationSet*> open_tests(const TrainJob& job, const Progress& progress,
                                             const MetricsFile& metrics) {
  std::set<std::string> done;
  const auto tested = metrics.tested(progress.update);
  for (const EvaluationSet& set : job.tests) {
    const auto found = tested.find(set.name);
    if (found != tested.end() &&
        (!found->second.is_known() || found->second == identity_of_test(job, set)))
      done.insert(set.name);
  }
  done = gathered(*job.processes, done).front();
  std::vector<const EvaluationSet*> open;
  for (const EvaluationSet& set : job.tests) {
    if (!done.contains(set.name)) open.push_back(&set);
  }
  return open;
}

void test(const TrainJob& job, const Progress& progress, MetricsFile& metrics) {
  const std::vector<const EvaluationSet*> open = open_tests(job, progress, metrics);
  if (open.empty()) return;
  const fs::path folder = find_model(job.folder.folder()).parent_path();
  const Checkpoint checkpoint = load_checkpoint(folder, job.device);
  const NetworkModel model = network_model_of(job, checkpoint.model.network);
  const int64_t update = checkpoint.progress.update;
  for (const EvaluationSet* set : open) {
    const std::vector<TextScore> scores = scores_of_test(job, model, *set, update);
    metrics.tested(set->name, scores, identity_of_test(job, *set), progress.update, update);
    for (const TextScore& score : scores)
      spdlog::info("test {}, checkpoint of update {}: {}", set->name, format_count(update),
                   score.line);
    if (scores.front().cut.any())
      spdlog::warn("test {}: {}", set->name, explain(scores.front().cut));
  }
}

}  // namespace

void settle_settings(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
                     const Machine& machine) {
  if (mode == RunMode::kResume) {
    folder.read_config(stored.all);
    if (!now.train.workers) now.train.workers = stored.train.workers;
    if (now.train.precision == TrainPrecision::kAuto) now.train.precision = stored.train.precision;
  }
  if (machine.has_gpu && now.train.workers.value_or(1) != 1) {
    throw_error(ErrorKind::kUsage, "train.workers: found {}, expected 1 on a GPU",
                *now.train.workers);
  }
  if (!now.train.workers)
    now.train.workers =
        machine.has_gpu ? 1 : std::min(kThreads.high, usable_cores(machine.local_processes));
  if (now.train.precision == TrainPrecision::kAuto) {
    now.train.precision =
        !machine.has_gpu && has_bf16_products() ? TrainPrecision::kBf16 : TrainPrecision::kFp32;
  }
  if (mode == RunMode::kResume) check_resumable(stored, now, folder.folder().string());
}

void open_run(const RunDirectory& folder, RunMode mode, Settings& config) {
  folder.open(mode);
  log_to_file(folder.log());
  write_file(folder.config(), write_config(config));
}

PreparedRun::PreparedRun(const TrainJob& job, std::optional<ResumePlan> plan)
    : job_(job), plan_(std::move(plan)), state_(std::make_unique<RunInMemory>()) {
  HEED_CHECK(job.train.workers.has_value());
  at::globalContext().setFlushDenormal(true);
  Checkpoint checkpoint;
  std::optional<ParameterTransfer> transfer;
  if (plan_) {
    checkpoint = load_checkpoint(plan_->checkpoint, job.device);
    state_->network = checkpoint.model.network;
    state_->progress = checkpoint.progress;
    if (job.data_changed) state_->progress.position.batch = 0;
    identify_scores(job, state_->progress.validations);
    const size_t validations = state_->progress.validations.size();
    forget_former_end(job.train, state_->progress);
    if (state_->progress.validations.size() < validations)
      notes_.push_back(
          fmt::format("forgotten: the validation that the former end, after update {}, had added",
                      format_count(state_->progress.update)));
  } else {
    state_->network = std::make_shared<Seq2Seq>(job.model.model,
                                                vocabulary_sizes(job.model, job.codecs), job.seed);
    if (job.initial) transfer.emplace(job.initial->model, job.model, job.codecs);
    initialize(transfer);
    state_->network->to(job.device);
  }
  state_->network->train();
  state_->parameters = std::make_unique<FlatParameters>(*state_->network);
  check_frozen();
  if (job.train.average)
    state_->average =
        std::make_unique<ParameterAverage>(*state_->parameters, job.train.average->decay);
  if (plan_ && state_->average)
    state_->average->load_state(checkpoint.parameters, parameters_file(plan_->checkpoint).string());
  // Freezes the parameters themselves, which the average has just restored.
  const size_t phase = phase_of(job.phases, state_->progress.update);
  state_->parameters->freeze(frozen_in(job, *state_->parameters, phase));
  state_->optimizer = build_optimizer(job, *state_, phase);
  if (plan_) {
    state_->optimizer->load_state(checkpoint.optimizer, optimizer_file(plan_->checkpoint).string());
  } else if (transfer && !job.init.resets(InitConfig::kOptimizer)) {
    state_->optimizer->collect();
    state_->optimizer->load_state(
        optimizer_state_from(*job.initial, *transfer, state_->optimizer->state()),
        job.initial->model.folder.string());
    state_->optimizer->release();
  }
  check_longest_lines();
}

void PreparedRun::initialize(const std::optional<ParameterTransfer>& transfer) {
  for (const auto& [side, file] : job_.init.embeddings)
    notes_.push_back(initialize_embedding(side, file, job_.codecs, *state_->network));
  if (!transfer) return;
  for (std::string& note : initialize_from(*job_.initial, job_.init, *transfer, *state_->network))
    notes_.push_back(std::move(note));
  state_->progress.earlier_updates = job_.initial->update;
}

// Checks later phases as well, so that unmatched patterns are reported at once.
void PreparedRun::check_frozen() {
  for (size_t phase = 0; phase <= job_.phases.size(); ++phase) {
    const size_t frozen = frozen_in(job_, *state_->parameters, phase).size();
    if (frozen == state_->parameters->names().size())
      throw_error(ErrorKind::kUsage, "{}: matches all parameters, so nothing is trained",
                  freeze_key(phase));
    if (frozen > 0)
      notes_.push_back(fmt::format("{}: {} of {} parameter tensors are not trained",
                                   phase == 0 ? std::string("train.freeze")
                                              : fmt::format("train.freeze of phase {}", phase + 1),
                                   frozen, state_->parameters->names().size()));
  }
}

// Computes the loss of the longest line of each validation and test set, if it is longer than all
// training sentences. Lack of memory is then reported before any update.
void PreparedRun::check_longest_lines() {
  if (!job_.processes->is_first()) return;
  const auto check = [&](const EvaluationSet& set) {
    if (set.longest.tokens <= job_.model.max_length.value_or(kLengths.high)) return;
    EvaluationSet one;
    one.name = set.name;
    one.examples = {set.longest.example};
    constexpr int64_t kSlow = 2000;  // takes a second or more
    if (set.longest.tokens > kSlow)
      spdlog::info("{}: computing the loss of its longest line, of {} tokens, to see that it fits",
                   set.name, format_count(set.longest.tokens));
    OneProcess alone;
    try {
      teacher_forced(network_model_of(job_, state_->network), one,
                     {.workers = 1, .processes = alone});
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

PreparedRun::~PreparedRun() = default;

int PreparedRun::train() {
  catch_signals();
  const bool writes = job_.processes->is_first();
  const auto whole = plan_ && writes
                         ? repair_run(job_.folder, *plan_, ranked(job_, state_->progress))
                         : std::set<int64_t>();
  const auto events = job_.train.tensorboard ? std::optional(job_.folder.events()) : std::nullopt;
  MetricsFile metrics =
      writes ? MetricsFile(job_.folder.metrics(), state_->progress, events) : MetricsFile();
  log_start(job_, *state_, notes_, plan_);
  try {
    return train(metrics, whole);
  } catch (const Interrupted&) {
    return leave_interrupted(job_, state_->progress, caught_signal(), metrics);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kDiverged)
      metrics.ended(state_->progress.update, kDiverged, error.what());
    throw;
  }
}

int PreparedRun::train(MetricsFile& metrics, const std::set<int64_t>& whole) {
  const auto limit = reached_limit(job_.train, state_->progress);
  const bool lacks_validation =
      job_.valid && (validation_is_due(job_.train.validation, state_->progress) ||
                     (limit && validation_is_due_at_end(*limit, state_->progress)));
  std::string reason;
  if (plan_ && limit && !lacks_validation) {
    reason = limit->reason;
    spdlog::info("nothing is left to train: {}", reason);
    // A process that was killed after its last checkpoint did not delete older ones.
    if (job_.processes->is_first()) checkpoints_of(job_, *state_, whole).save(state_->progress);
  } else {
    const Ending ending = heed::train(job_, *state_, metrics, whole);
    if (ending.signal != 0)
      return leave_interrupted(job_, state_->progress, ending.signal, metrics);
    reason = ending.reason;
  }
  test(job_, state_->progress, metrics);
  metrics.ended(state_->progress.update, kFinished, reason);
  spdlog::info("done; next: {}", next_command(job_.folder.folder(), job_.model));
  return 0;
}

namespace {

// Labels of each token of a source, one line for each of its factors.
std::string describe_factors(const TrainJob& job, const Example& example, size_t source) {
  std::string text;
  size_t next = 0;
  for (const SourceFactor& factor : source_factors(job.model, job.codecs)) {
    if (factor.source != source) continue;
    const Ids& labels = example.factors.at(source).at(next++);
    text +=
        fmt::format("{}: {}\n", factor.name,
                    printable(fmt::format("{}", fmt::join(factor.labels->pieces(labels), " "))));
  }
  return text;
}

}  // namespace

std::string describe_first_batch(const TrainJob& job) {
  const std::vector<Example> examples = examples_of(job.batches->next());
  std::string text = fmt::format("first batch: {} sentences, {} source and {} target tokens\n",
                                 examples.size(), source_tokens(examples), target_tokens(examples));
  constexpr size_t kShown = 5;
  const size_t shown = std::min(kShown, examples.size());
  for (size_t e = 0; e < shown; ++e) {
    const Example& example = examples[e];
    for (size_t i = 0; i < job.model.sources.size(); ++i) {
      const std::string& name = job.model.sources[i];
      const Ids& ids = example.sources[i];
      text += fmt::format("{}: {}\n  {}\n", name, printable(job.codecs.at(name)->decode(ids)),
                          fmt::join(ids, " "));
      text += describe_factors(job, example, i);
    }
    if (example.tag)
      text += fmt::format("{}: {}\n", kTagInput, job.model.tags[static_cast<size_t>(*example.tag)]);
    const Codec& target = *job.codecs.at(kTargetSide);
    const auto behind = example.copyable.value_or(Copyable()).behind;
    text += fmt::format("{}: {}\n  {}\n", kTargetSide,
                        printable(target.decode(target.pieces(example.target, behind))),
                        fmt::join(example.target, " "));
  }
  if (shown < examples.size()) {
    text += fmt::format("and {} more\n", examples.size() - shown);
  }
  return text;
}

}  // namespace heed
