#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "cli/tensors/entry.h"
#include "cli/tensors/summary.h"
#include "cli/train/options.h"
#include "cli/train/tensors/rehearsal.h"
#include "cli/train/tensors/shared_run.h"
#include "cli/train/tensors/training_job.h"
#include "config/print_text.h"
#include "config/writer.h"
#include "distributed/process_group.h"
#include "text/codecs.h"
#include "train/checkpoints.h"
#include "train/run.h"
#include "train/run_config.h"
#include "train/run_lock.h"
#include "train/run_phases_config.h"

namespace heed {

namespace {

// KEY=VALUE with the value quoted as YAML, so that a name keeps any special characters.
std::string override_of(const char* key, const std::string& text) {
  if (!is_utf8(text))
    throw_error(ErrorKind::kUsage, "--{} {}: is not UTF-8; choose another name", key, text);
  return fmt::format("{}={}", key, print_text(text));
}

RunConfig config_of(const TrainOptions& options) {
  std::vector<std::string> overrides = options.set;
  if (options.run && options.run->empty())
    throw_error(ErrorKind::kUsage, "--run: found '', expected a folder");
  if (options.run) overrides.push_back(override_of("run", *options.run));
  if (options.device) overrides.push_back(override_of("device", *options.device));
  return read_training_config(options.config, overrides, options.resume || options.auto_resume);
}

RunMode mode_of(const TrainOptions& options, const RunDirectory& folder) {
  if (options.resume || (options.auto_resume && look_at(folder).can_be_resumed()))
    return RunMode::kResume;
  return options.overwrite ? RunMode::kOverwrite : RunMode::kFresh;
}

DataRecord record_data(const RunConfig& config, DataCache& cache) {
  std::vector<CorpusFiles> corpora = training_files(config);
  for (const EvaluationConfig& set : config.data.valid)
    corpora.push_back(find_evaluation_files(config.data.root({}), set));
  return record_data(corpora, text_files(config.text), cache);
}

// One line for all vocabularies: "vocabulary: source and target 8,000 subwords".
void log_vocabularies(const RunConfig& run, const Codecs& codecs) {
  const TextConfigs& text = run.text;
  std::vector<std::string> parts;
  for (const auto& [owner, config] : text) {
    std::vector<std::string> sides;
    for (const auto& [side, unused] : text) {
      if (owner_of(text, side) == owner) sides.push_back(side);
    }
    if (!sides.empty())
      parts.push_back(fmt::format("{} {} {}", fmt::join(sides, " and "),
                                  format_count(codecs.at(owner)->vocabulary().size()),
                                  config.tokenizer->unit()));
  }
  for (const std::string& factor : run.data.factors())
    parts.push_back(
        fmt::format("{} {} labels", factor, format_count(codecs.at(factor)->vocabulary().size())));
  spdlog::info("vocabulary: {}", fmt::join(parts, ", "));
}

// Changes of the data since the checkpoint, if --data-changed allows them.
struct ChangedData {
  std::vector<std::string> warnings{};
  bool restarts_epoch = false;
};

// Throws Error(kData) for changes that are not allowed.
ChangedData check_data(const DataRecord& data, const TextConfigs& text, const ResumePlan& plan,
                       const TrainOptions& options) {
  const std::string checkpoint = plan.checkpoint.string();
  const auto before = read_data_record(plan.checkpoint);
  if (!before)
    return {
        .warnings = {checkpoint + " has no record of its data; whether they changed is unknown"},
        .restarts_epoch = true};
  const DataChanges changes = changed_data(*before, data, text_files(text));
  if (!changes.all().empty() && !options.data_changed) {
    throw_error(ErrorKind::kData,
                "the data have changed since {}: {}; restore them, train another run, or continue "
                "with --data-changed",
                checkpoint, fmt::join(changes.all(), ", "));
  }
  ChangedData changed;
  if (!changes.data.empty()) {
    changed.restarts_epoch = true;
    changed.warnings.push_back(
        fmt::format("the data have changed since {}: {}; the epoch starts again with them, encoded "
                    "by the vocabularies and tokenizers of the checkpoint",
                    checkpoint, fmt::join(changes.data, ", ")));
  }
  if (!changes.text.empty())
    changed.warnings.push_back(fmt::format(
        "vocabularies or tokenizer models have changed since {}: {}; they are not read: "
        "the run keeps those of its checkpoint; to use the new ones, train another run",
        checkpoint, fmt::join(changes.text, ", ")));
  return changed;
}

// Describes the parts that a resumed run takes from its checkpoint, and the files of the config
// that it does not read.
std::string kept_from_checkpoint(const RunConfig& config) {
  std::vector<std::string> kept{"parameters", "optimizer state", "vocabularies", "tokenizers"};
  if (!config.data.factors().empty()) kept.emplace_back("labels of the source factors");
  std::vector<std::string> unread;
  if (config.init.model) unread.push_back("init.model: " + *config.init.model);
  for (const auto& [side, file] : config.init.embeddings)
    unread.push_back(fmt::format("init.embeddings.{}: {}", side, file));
  for (const fs::path& file : text_files(config.text)) unread.push_back("text: " + file.string());
  return fmt::format(
      "kept from the checkpoint: {}{}", fmt::join(kept, ", "),
      unread.empty() ? "" : fmt::format("; not read again: {}", fmt::join(unread, ", ")));
}

void say_what_is_kept(const RunConfig& config, const std::optional<ResumePlan>& plan,
                      const ChangedData& changed) {
  if (!plan) return;
  for (const std::string& warning : changed.warnings) spdlog::warn("{}", warning);
  spdlog::info("{}", kept_from_checkpoint(config));
}

int print_dry_run(const RunConfig& config, const TrainJob& job,
                  const std::optional<ResumePlan>& plan) {
  const PreparedRun run(job, plan);
  log_vocabularies(config, job.codecs);
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : run.notes()) spdlog::info("{}", note);
  for (const std::string& phase : describe_phases(config)) spdlog::info("{}", phase);
  print_result("parameters\n" + parameter_table(run.network()) + describe_first_batch(job));
  return 0;
}

// Path of a run in messages: relative if the run is below the current folder, else absolute.
fs::path run_in_messages(const fs::path& run) {
  const fs::path relative = run.lexically_proximate(fs::current_path());
  return relative == "." || *relative.begin() == ".." ? run : relative;
}

// The command that continues this training.
std::string resume_command(const TrainOptions& options) {
  std::string command = "heed train " + shell_word(options.config);
  for (const std::string& setting : options.set) command += " --set " + shell_word(setting);
  if (options.run) command += " --run " + shell_word(*options.run);
  if (options.device) command += " --device " + shell_word(*options.device);
  return command + " --resume";
}

// Earlier versions resolved `run` against the current folder. Points to a run that is there.
void refuse_other_folder(const RunConfig& config, const RunDirectory& folder) {
  if (look_at(folder).holds_run()) return;
  const fs::path written =
      fs::path(config.run).lexically_relative(config.folder.lexically_normal());
  const RunDirectory other((fs::current_path() / written).lexically_normal());
  if (!look_at(other).config) return;
  throw_error(ErrorKind::kUsage,
              "{}: holds no run to resume, but {} does; `run` is relative to the folder of the "
              "config: give --run {}",
              config.run, other.folder().string(), shell_word(written.string()));
}

// Finds the checkpoint to start from and fills in the number of workers.
std::optional<ResumePlan> plan_run(const RunDirectory& folder, RunMode mode, RunConfig& config,
                                   const Launch& launch) {
  check_mode(folder, mode);
  settle_settings(folder, mode, config, launch);
  return mode == RunMode::kResume ? plan_resume(folder) : std::nullopt;
}

// Hash of the config before settle_settings() adapts it to the host, without the device.
std::string hash_of_config(RunConfig config) {
  config.device.clear();
  return hash_bytes(write_config(config));
}

// A run that is ready to begin; nothing has been written yet.
struct ReadyRun {
  RunDirectory folder;
  RunMode mode;
  RunConfig config{};
  std::optional<RunLock> lock{};  // of the first process, if there is a run already
  std::optional<ResumePlan> plan{};
  DataRecord data{};
  ChangedData changed_data{};
  TrainingSources sources{};
  NamedHashes hashes{};  // of the settings that must be equal in all processes
  TrainJob job{.folder = folder};
};

std::unique_ptr<ReadyRun> begin(const TrainOptions& options, const TrainingProcess& process) {
  RunConfig config = config_of(options);
  const RunDirectory folder(run_in_messages(config.run));
  auto run =
      std::make_unique<ReadyRun>(ReadyRun{.folder = folder, .mode = mode_of(options, folder)});
  if (process.all->is_first() && look_at(folder).holds_run()) run->lock.emplace(folder.folder());
  if (run->mode == RunMode::kResume && !options.run) refuse_other_folder(config, folder);
  const std::string config_hash = hash_of_config(config);
  run->plan = plan_run(folder, run->mode, config, process.launch);
  const auto cache = std::make_shared<DataCache>(config.data.cache_folder({}));
  run->data = record_data(config, *cache);
  if (run->plan) run->changed_data = check_data(run->data, config.text, *run->plan, options);
  run->sources = find_sources(config, run->plan, cache, process);
  run->hashes = {{"the config", config_hash},
                 {"train.workers", std::to_string(*config.train.workers)},
                 {"train.precision, which the processor decides where the config does not",
                  precision_name(config.train.precision)},
                 {"the files of the data", hash_bytes(to_json(run->data))},
                 {"the checkpoint that it resumes",
                  run->plan ? hash_file(progress_file(run->plan->checkpoint)) : std::string()}};
  run->config = std::move(config);
  return run;
}

// Reads the training data. With a cache, the first process of each host writes it and the others
// map it.
TrainingData read(ReadyRun& run, Codecs codecs, const TrainingProcess& process) {
  TrainingData data;
  const auto read_own = [&] {
    data = read_data(run.config, std::move(run.sources), std::move(codecs));
  };
  if (run.config.data.cache) {
    host_by_host(process, read_own);
  } else {
    together_with_one_message(*process.all, read_own);
  }
  return data;
}

void finish(ReadyRun& run, TrainingData data, const TrainOptions& options,
            const TrainingProcess& process) {
  run.job = make_job(run.config, run.folder, std::move(data), process);
  run.job.data = run.data;
  run.job.data_changed = options.data_changed && run.changed_data.restarts_epoch;
  run.job.resume_command = resume_command(options);
}

// Opens the run; called by the first process.
void open(ReadyRun& run) {
  run.folder.make();
  if (!run.lock) run.lock.emplace(run.folder.folder());
  run.config.run = ".";
  open_run(run.folder, run.mode, run.config);
  if (run.mode == RunMode::kResume && !run.plan)
    spdlog::info("{}: has no checkpoint yet; training starts at update 1",
                 run.folder.folder().string());
  say_what_is_kept(run.config, run.plan, run.changed_data);
  log_vocabularies(run.config, run.job.codecs);
}

int dry_run(const TrainOptions& options) {
  RunConfig config = config_of(options);
  const RunDirectory folder(run_in_messages(config.run));
  const auto cache = std::make_shared<DataCache>(config.data.cache_folder({}));
  std::optional<ResumePlan> plan;
  if (mode_of(options, folder) == RunMode::kResume) {
    if (!options.run) refuse_other_folder(config, folder);
    plan = plan_run(folder, RunMode::kResume, config, {});
    say_what_is_kept(config, plan,
                     plan ? check_data(record_data(config, *cache), config.text, *plan, options)
                          : ChangedData());
  } else {
    settle_settings(folder, RunMode::kFresh, config, {});
  }
  return print_dry_run(config, rehearse(config, folder, plan, cache), plan);
}

}  // namespace

// Writes nothing and deletes no run until data, vocabularies and network are complete.
namespace {

int run_train(const TrainOptions& options) {
  const Launch launch = find_launch();
  if (options.dry_run) return launch.rank == 0 ? dry_run(options) : 0;
  ignore_closed_pipes();
  exit_on_signals("heed: interrupted before training began; nothing was changed\n");
  if (launch.rank != 0) set_up_log("error");  // the first process logs
  const TrainingProcess process{.launch = launch, .all = join_processes(launch)};

  std::unique_ptr<ReadyRun> ready;
  together_with_one_message(*process.all, [&] { ready = begin(options, process); });
  require_equal(*process.all, ready->hashes);
  const auto learn = [&] { return make_codecs(ready->config, ready->sources, ready->plan); };
  Codecs codecs = shared_codecs(*process.all, ready->config, learn);
  TrainingData data = read(*ready, std::move(codecs), process);
  std::optional<PreparedRun> run;
  together_with_one_message(*process.all, [&] {
    finish(*ready, std::move(data), options, process);
    run.emplace(ready->job, ready->plan);
  });
  ready->job.initial.reset();  // frees its memory

  catch_signals();
  together_with_one_message(*process.all, [&] {
    if (process.all->is_first()) open(*ready);
  });
  return run->train();
}

}  // namespace

}  // namespace heed

extern "C" int heed_train(const heed::TrainOptions& options) {
  return heed::run_tensor_command(
      [&] { return heed::run_train(options); },
      "training; smaller batches (train.batch), fewer workers or a smaller model need less");
}
