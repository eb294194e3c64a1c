#include "train/prepare.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "config/writer.h"
#include "distributed/process_group.h"
#include "run/run_codecs.h"

namespace heed {

namespace {

// Writes the log to the folder as well, and config.yaml with every default.
void open_folder(const RunDirectory& folder, RunMode mode, const RunConfig& config) {
  folder.open(mode);
  log_to_file(folder.log());
  write_file(folder.config(), write_config(config));
}

}  // namespace

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

std::unique_ptr<PreparedRun> prepare(RunSpec spec, const TrainingProcess& process) {
  TrainingSteps steps(TrainingSteps::Purpose::kRun, process);
  PreparedData data = prepare_data(spec, steps);
  Preparation all = steps.end(std::move(spec), std::move(data));
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
  TrainingSteps steps(TrainingSteps::Purpose::kRehearsal);
  PreparedData data = prepare_data(spec, steps);
  return rehearse(std::move(spec), std::move(data), steps);
}

std::unique_ptr<const Training> rehearse(RunSpec spec, PreparedData data, TrainingSteps& steps) {
  Preparation all = steps.end(std::move(spec), std::move(data));
  return std::make_unique<const Training>(std::move(all.job), std::move(all.plan));
}

}  // namespace heed
