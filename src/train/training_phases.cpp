#include "train/training_phases.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "config/settings_tree.h"
#include "train/sequence_objective.h"
#include "train/steady_clock.h"
#include "train/train_log.h"
#include "train/validator.h"
#include "train/workers.h"

namespace heed {

RunCheckpoints checkpoints_of(const TrainJob& job, const TrainingState& state,
                              const std::set<int64_t>& whole) {
  return {job.folder,
          job.train,
          {job.model, job.codecs, *state.network, *state.optimizer, job.data, state.average.get(),
           state.lora.get()},
          whole};
}

namespace {

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

CrossEntropyOptions token_settings(const TrainJob& job, const LearningConfig& learning) {
  return {.label_smoothing = learning.label_smoothing,
          .coverage = learning.coverage,
          .guided_alignment = learning.guided_alignment,
          .supporting_facts = learning.supporting_facts.weight,
          .r_drop = learning.r_drop,
          .scheduled_sampling = learning.scheduled_sampling,
          .given = job.codecs.at(kTargetSide)->opening() ? 1 : 0,
          .bf16 = job.train.precision == TrainPrecision::kBf16,
          .int8 = learning.int8};
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

// Network for training, with the dropout probabilities of the phase.
std::shared_ptr<Seq2Seq> network_of(const TrainJob& job, const TrainingState& state, size_t phase) {
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

// Begins a phase at the end of the previous one.
void enter(const TrainJob& job, TrainingState& state, size_t phase) {
  const TrainPhase& now = job.phases[phase - 1];
  spdlog::info("begins: {}", now.description);
  state.parameters->freeze(frozen_in(job, *state.parameters, phase));
  const OptimizerConfig& optimizer = *now.learning.optimizer;
  if (now.resets_optimizer || !are_equal(*job.learning_of(phase - 1).optimizer, optimizer)) {
    auto fresh = build_optimizer(job, state.trained(), phase);
    if (!now.resets_optimizer) {
      state.optimizer->collect();
      fresh->load_state(state.optimizer->state(), now.description);
    }
    state.optimizer = std::move(fresh);
  }
  if (&job.batches_of(phase) != &job.batches_of(phase - 1))
    state.progress.position = next_epoch(state.progress.position);
}

Span span_of(const TrainJob& job, size_t phase) {
  Span span{.learning = job.learning_of(phase),
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

Ending train_phase(const TrainJob& job, TrainingState& state, size_t phase, CommonParts& common) {
  const LearningConfig& learning = job.learning_of(phase);
  const std::unique_ptr<Objective> objective = objective_of(job, learning);
  SummedWorkers workers(make_workers(network_of(job, state, phase), *state.parameters, *objective,
                                     job.seed, *job.train.workers),
                        *state.parameters, common.reducer, job.train.reduction);
  BatchStream& batches = job.batches_of(phase);
  batches.divide({.workers = *job.train.workers,
                  .rank = common.reducer.rank(),
                  .processes = common.reducer.processes()});
  Stepper* stepper = state.optimizer.get();
  std::optional<LoraStepper> adapting;
  if (state.lora) stepper = &adapting.emplace(*stepper, *state.lora);
  std::optional<AveragingStepper> averaging;
  if (state.average) stepper = &averaging.emplace(*stepper, *state.average);
  RunCheckpoints run_checkpoints = checkpoints_of(job, state, common.whole);
  CheckpointsOfProcesses checkpoints(*state.optimizer,
                                     common.reducer.is_first() ? &run_checkpoints : nullptr);
  const Span span = span_of(job, phase);
  note_lowest_rate(job, span, state.progress);
  Trainer trainer(job.train, span,
                  {.batches = batches,
                   .workers = workers,
                   .stepper = *stepper,
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

}  // namespace

Ending train_phases(const TrainJob& job, TrainingState& state, MetricsFile& metrics,
                    const std::set<int64_t>& whole) {
  Reducer& reducer = *job.processes;
  reducer.broadcast(state.parameters->values());
  if (state.lora) reducer.broadcast(state.trained().values());
  std::optional<ModelValidator> validator;
  if (job.valid) {
    validator.emplace(job.model_of(state.network), *job.valid, job.train.validation,
                      job.model.search, job.parallelism());
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

}  // namespace heed
