#include "train/training_steps.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "config/mistakes.h"
#include "config/settings_tree.h"
#include "config/writer.h"
#include "network/device.h"
#include "nn/product.h"
#include "run/checkpoint_files.h"
#include "run/machine_settings.h"
#include "train/training_memory.h"

namespace heed {

namespace {

// Fills in what this machine decides.
void settle(RunSpec& spec, const Launch& launch) {
  RunConfig& config = spec.config;
  RunConfig stored;
  const Machine machine{.on_gpu = choose_device(config.device, launch.local_rank).is_cuda(),
                        .has_bf16_products = has_bf16_products(),
                        .local_processes = launch.local_processes};
  settle_settings(spec.folder, spec.mode, {config, config.train, config.phases},
                  {stored, stored.train}, machine);
  if (spec.mode != RunMode::kResume || equal(stored.init, config.init)) return;
  std::vector<ChangedSetting> changes =
      changed_settings(flatten_config(stored), flatten_config(config));
  std::erase_if(changes, [](const ChangedSetting& change) {
    return change.key != "init" && !change.key.starts_with("init.");
  });
  spdlog::warn(
      "init has changed since the start of the run, which does not read it again and keeps its own "
      "({}); to start with another, train another run",
      changes_text(changes));
  config.init = stored.init;  // what the run has begun with
}

// Hash of the config before settle() adapts it to the host, without the device.
std::string hash_of_config(RunConfig config) {
  config.device.clear();
  return hash_bytes(write_config(config));
}

// records: the files of a new run are hashed, too.
Resumption find_checkpoint(const RunSpec& spec, DataCache& cache, bool records) {
  Resumption found;
  if (spec.mode == RunMode::kResume) found.plan = plan_resume(spec.folder);
  if (records || found.plan) found.data = record_data(spec.files, cache);
  if (found.plan) found.changed = check_data(found.data, spec, *found.plan);
  return found;
}

// The settings that must be equal in all processes. config: its hash.
NamedHashes hashes_of(const RunSpec& spec, const std::string& config, const Resumption& from) {
  return {{"the config", config},
          {"train.workers", std::to_string(*spec.config.train.workers)},
          {"train.precision, which the processor decides where the config does not",
           precision_name(spec.config.train.precision)},
          {"the files of the data", hash_bytes(to_json(from.data))},
          {"the checkpoint that it resumes",
           from.plan ? hash_file(progress_file(from.plan->checkpoint)) : std::string()}};
}

}  // namespace

void say_what_is_kept(const RunSpec& spec, const ChangedData& changed) {
  for (const std::string& warning : changed.warnings) spdlog::warn("{}", warning);
  spdlog::info("{}", kept_from_checkpoint(spec.config));
}

void TrainingSteps::check_memory(const RunConfig& config, const VocabularySizes& sizes) {
  check_training_memory(config, sizes);
}

std::shared_ptr<DataCache> TrainingSteps::begin(RunSpec& spec) {
  const bool runs = purpose_ == Purpose::kRun;
  if (runs && is_first() && look_at(spec.folder).holds_run()) lock_.emplace(spec.folder.folder());
  if (runs || spec.mode == RunMode::kResume) check_mode(spec.folder, spec.mode);
  const std::string config = hash_of_config(spec.config);
  settle(spec, process_.launch);
  auto cache = std::make_shared<DataCache>(spec.config.data.cache_folder({}));
  from_ = find_checkpoint(spec, *cache, /*records=*/runs);
  if (!runs && from_.plan) say_what_is_kept(spec, from_.changed);
  hashes_ = hashes_of(spec, config, from_);
  return cache;
}

const ModelText* TrainingSteps::initial_model(const InitConfig& init) {
  initial_ = load_initial_model(init);
  return initial_ ? &initial_->model : nullptr;
}

void TrainingSteps::together(const Step& step) { together_with_one_message(*process_.all, step); }

void TrainingSteps::in_turn(const Step& step) { host_by_host(process_, step); }

Codecs TrainingSteps::shared(const RunConfig& config, const std::function<Codecs()>& learn) {
  require_equal(*process_.all, hashes_);
  return shared_codecs(*process_.all, config, learn);
}

Preparation TrainingSteps::end(RunSpec spec, PreparedData data) {
  std::optional<TrainJob> job;
  together([&] { job = make_job(spec, std::move(data), process_); });
  job->initial = std::move(initial_);
  job->data = std::move(from_.data);
  job->restarts_epoch = spec.data_changed && from_.changed.restarts_epoch;
  return {.spec = std::move(spec),
          .lock = std::move(lock_),
          .changed = std::move(from_.changed),
          .job = std::move(*job),
          .plan = std::move(from_.plan)};
}

}  // namespace heed
