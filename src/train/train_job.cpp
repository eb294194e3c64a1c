#include "train/train_job.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "network/device.h"
#include "run/run_phases_config.h"

namespace heed {

namespace {

int64_t examples_per_epoch(const CorpusReport& report) {
  double examples = 0;
  for (const CorpusCount& count : report.corpora) {
    examples += count.weight * static_cast<double>(count.kept);
  }
  return std::llround(examples);
}

// The phases after the first.
std::vector<TrainPhase> phases_of(const RunConfig& config,
                                  const std::vector<PhaseBatches>& batches) {
  std::vector<TrainPhase> phases;
  const std::vector<std::string> descriptions = describe_phases(config);
  for (size_t i = 0; i < config.phases.size(); ++i) {
    const PhaseConfig& phase = config.train.phases[i];
    phases.push_back({.after = phase.after,
                      .learning = config.phases[i].learning,
                      .model = config.phases[i].model,
                      .batches = batches[i + 1].stream,
                      .resets_optimizer = phase.resets(PhaseConfig::kOptimizer),
                      .resets_schedule = phase.resets(PhaseConfig::kSchedule),
                      .description = descriptions[i]});
  }
  return phases;
}

}  // namespace

const LearningConfig& TrainJob::learning_of(size_t phase) const {
  return phase == 0 ? train : phases[phase - 1].learning;
}

BatchStream& TrainJob::batches_of(size_t phase) const {
  return phase == 0 ? *batches : *phases[phase - 1].batches;
}

Parallelism TrainJob::parallelism() const {
  return {.workers = *train.workers, .processes = *processes};
}

NetworkModel TrainJob::model_of(std::shared_ptr<Seq2Seq> network) const {
  return network_model(
      {{{.folder = folder.folder(), .config = model, .codecs = codecs}, std::move(network)}});
}

TrainJob make_job(const RunSpec& spec, PreparedData data, const TrainingProcess& process) {
  const RunConfig& config = spec.config;
  const std::vector<PhaseBatches>& batches = data.batches;
  const bool same_data = std::ranges::all_of(
      batches, [&](const PhaseBatches& one) { return one.corpus == batches.front().corpus; });
  return {
      .folder = spec.folder,
      .seed = static_cast<uint64_t>(config.seed),
      .device = choose_device(config.device, process.launch.local_rank),
      .train = config.train,
      .model = std::move(data.model),
      .codecs = std::move(data.codecs),
      .batches = batches.front().stream,
      .phases = phases_of(config, batches),
      .examples_per_epoch = same_data ? examples_per_epoch(batches.front().corpus->report()) : 0,
      .valid = std::move(data.valid),
      .tests = std::move(data.tests),
      .notes = data.notes(),
      .init = config.init,
      .resume_command = spec.resume_command,
      .processes = process.all};
}

}  // namespace heed
