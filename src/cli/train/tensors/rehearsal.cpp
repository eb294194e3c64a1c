#include "cli/train/tensors/rehearsal.h"

#include <algorithm>

#include "base/log.h"
#include "cli/train/idle_validation.h"
#include "cli/train/tensors/training_memory.h"
#include "config/notes.h"
#include "config/settings_tree.h"
#include "network/device.h"

namespace heed {

namespace {

// True if a phase has the loss.
bool has_guided_alignment(const RunConfig& config) {
  return config.train.guided_alignment.weight > 0 ||
         std::ranges::any_of(config.phases, [](const RunPhase& phase) {
           return phase.learning.guided_alignment.weight > 0;
         });
}

// Calls forget(data) for the first phase and for all later ones.
template <class Forget>
void for_all_data(RunConfig& config, Forget forget) {
  forget(config.data);
  for (RunPhase& phase : config.phases) forget(phase.data);
}

// Files that nothing reads.
void forget_unread(RunConfig& config) {
  bool has_edges = false, has_alignments = false;
  for_all_data(config, [&](const DataConfig& data) {
    has_edges = has_edges || data.has_edges();
    has_alignments = has_alignments || data.has_alignments();
  });
  if (has_edges && !needs_of(config.model).edges) {
    spdlog::warn("data.train has edges, but no attention of the model uses them (terms: [edges])");
    for_all_data(config, [](DataConfig& data) { data.forget_edges(); });
  }
  if (has_alignments && !has_guided_alignment(config)) {
    spdlog::warn(
        "data.train has an alignment, but no loss uses it (train.guided_alignment.weight)");
    for_all_data(config, [](DataConfig& data) { data.forget_alignments(); });
  }
}

}  // namespace

RunConfig read_training_config(const std::string& file, const std::vector<std::string>& overrides,
                               bool resumes) {
  RunConfig config = read_run_config(file, overrides, resumes);
  check_training_memory(config);
  forget_unread(config);
  for (const std::string& warning : idle_validation(config)) spdlog::warn("{}", warning);
  for (const std::string& note : notes_on(config.model, "model")) spdlog::info("{}", note);
  return config;
}

void settle_settings(const RunDirectory& folder, RunMode mode, RunConfig& config,
                     const Launch& launch) {
  RunConfig stored;
  const Machine machine{.has_gpu = choose_device(config.device, launch.local_rank).is_cuda(),
                        .local_processes = launch.local_processes};
  settle_settings(folder, mode, {config, config.train}, {stored, stored.train}, machine);
  if (mode == RunMode::kResume && !equal(stored.init, config.init))
    spdlog::warn(
        "init has changed since the start of the run, which does not read it again; to start with "
        "it, train another run");
}

TrainJob rehearse(const RunConfig& config, const RunDirectory& folder,
                  const std::optional<ResumePlan>& plan, const std::shared_ptr<DataCache>& cache) {
  TrainingSources sources = find_sources(config, plan, cache, {});
  Codecs codecs = make_codecs(config, sources, plan);
  return make_job(config, folder, read_data(config, std::move(sources), std::move(codecs)), {});
}

}  // namespace heed
