#include "train/prepare.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "config/settings_tree.h"
#include "config/writer.h"
#include "distributed/process_group.h"
#include "network/device.h"
#include "nn/product.h"
#include "run/checkpoint_files.h"
#include "run/data_warnings.h"
#include "run/machine_settings.h"
#include "run/run_codecs.h"
#include "train/training_data.h"
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
  if (spec.mode == RunMode::kResume && !equal(stored.init, config.init))
    spdlog::warn(
        "init has changed since the start of the run, which does not read it again; to start with "
        "it, train another run");
}

// Hash of the config before settle() adapts it to the host, without the device.
std::string hash_of_config(RunConfig config) {
  config.device.clear();
  return hash_bytes(write_config(config));
}

// The checkpoint that a run resumes from, and changes of the data since.
struct Resumption {
  std::optional<ResumePlan> plan{};
  DataRecord data{};
  ChangedData changed{};

  const ResumePlan* plan_or_null() const { return plan ? &*plan : nullptr; }
};

// records: the files of a new run are hashed, too.
Resumption find_checkpoint(const RunSpec& spec, DataCache& cache, bool records) {
  Resumption found;
  if (spec.mode == RunMode::kResume) found.plan = plan_resume(spec.folder);
  if (records || found.plan) found.data = record_data(spec.files, cache);
  if (found.plan) found.changed = check_data(found.data, spec, *found.plan);
  return found;
}

std::optional<InitialModel> load_initial(const RunSpec& spec, const ResumePlan* plan) {
  return plan == nullptr ? load_initial_model(spec.config.init) : std::nullopt;
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

void say_what_is_kept(const RunSpec& spec, const ChangedData& changed) {
  for (const std::string& warning : changed.warnings) spdlog::warn("{}", warning);
  spdlog::info("{}", kept_from_checkpoint(spec.config));
}

std::shared_ptr<DataCache> cache_of(const RunSpec& spec) {
  return std::make_shared<DataCache>(spec.config.data.cache_folder({}));
}

// Writes the log to the folder as well, and config.yaml with every default.
void open_folder(const RunDirectory& folder, RunMode mode, const RunConfig& config) {
  folder.open(mode);
  log_to_file(folder.log());
  write_file(folder.config(), write_config(config));
}

}  // namespace

// All that a training is built from.
struct Preparation {
  RunSpec spec;  // settled
  std::optional<RunLock> lock{};
  ChangedData changed{};
  TrainJob job;
  std::optional<ResumePlan> plan{};
};

PreparedRun::PreparedRun(Preparation all, TrainingProcess process)
    : spec_(std::move(all.spec)),
      process_(std::move(process)),
      lock_(std::move(all.lock)),
      changed_(std::move(all.changed)),
      resumes_(all.plan.has_value()),
      training_(std::move(all.job), std::move(all.plan)) {}

int PreparedRun::run() {
  together_with_one_message(*process_.all, [&] {
    if (process_.all->is_first()) open();
  });
  return training_.run();
}

void PreparedRun::open() {
  spec_.folder.make();
  if (!lock_) lock_.emplace(spec_.folder.folder());
  spec_.config.run = ".";
  open_folder(spec_.folder, spec_.mode, spec_.config);
  if (spec_.mode == RunMode::kResume && !resumes_)
    spdlog::info("{}: has no checkpoint yet; training starts at update 1",
                 spec_.folder.folder().string());
  if (resumes_) say_what_is_kept(spec_, changed_);
  spdlog::info("{}", describe_vocabularies(spec_.config, training_.job().codecs));
}

namespace {

enum class Purpose { kRun, kRehearsal };

// A rehearsal takes no lock, and a new run may have any folder.
Preparation prepare_for(Purpose purpose, RunSpec spec, const TrainingProcess& process) {
  Reducer& all = *process.all;
  const bool runs = purpose == Purpose::kRun;
  std::optional<RunLock> lock;
  Resumption from;
  NamedHashes hashes;
  RunText text;
  std::optional<InitialModel> initial;
  together_with_one_message(all, [&] {
    check_training_memory(spec.config);
    if (runs && all.is_first() && look_at(spec.folder).holds_run())
      lock.emplace(spec.folder.folder());
    if (runs || spec.mode == RunMode::kResume) check_mode(spec.folder, spec.mode);
    const std::string config = hash_of_config(spec.config);
    settle(spec, process.launch);
    const auto cache = cache_of(spec);
    from = find_checkpoint(spec, *cache, /*records=*/runs);
    if (!runs && from.plan) say_what_is_kept(spec, from.changed);
    hashes = hashes_of(spec, config, from);
    text = open_text(spec, cache);
    if (!from.plan && all.is_first()) warn_of_data(spec.config, spec.files, *text.all, *cache);
    initial = load_initial(spec, from.plan_or_null());
  });
  require_equal(all, hashes);
  Codecs codecs = shared_codecs(all, spec.config, [&] {
    return make_codecs(spec, text, from.plan_or_null(), initial ? &*initial : nullptr);
  });
  std::vector<PhaseBatches> batches;
  const auto read = [&] { batches = read_batches(spec, text, codecs); };
  if (spec.config.data.cache) {
    host_by_host(process, read);  // one process writes the cache, the others map it
  } else {
    together_with_one_message(all, read);
  }
  std::optional<TrainJob> job;
  together_with_one_message(
      all, [&] { job = make_job(spec, text, std::move(codecs), batches, process); });
  job->initial = std::move(initial);
  job->data = std::move(from.data);
  job->restarts_epoch = spec.data_changed && from.changed.restarts_epoch;
  return {.spec = std::move(spec),
          .lock = std::move(lock),
          .changed = std::move(from.changed),
          .job = std::move(*job),
          .plan = std::move(from.plan)};
}

}  // namespace

std::unique_ptr<PreparedRun> prepare(RunSpec spec, const TrainingProcess& process) {
  Preparation all = prepare_for(Purpose::kRun, std::move(spec), process);
  std::unique_ptr<PreparedRun> run;
  together_with_one_message(*process.all,
                            [&] { run.reset(new PreparedRun(std::move(all), process)); });
  return run;
}

std::unique_ptr<PreparedRun> prepare_in_all(const RunRequest& request, const Launch& launch) {
  if (launch.rank != 0) set_up_log("error");
  const TrainingProcess process{.launch = launch, .all = join_processes(launch)};
  std::optional<RunSpec> spec;
  together_with_one_message(*process.all, [&] { spec = find_run(request); });
  return prepare(std::move(*spec), process);
}

std::unique_ptr<const Training> rehearse(RunSpec spec) {
  Preparation all = prepare_for(Purpose::kRehearsal, std::move(spec), {});
  return std::make_unique<const Training>(std::move(all.job), std::move(all.plan));
}

}  // namespace heed
