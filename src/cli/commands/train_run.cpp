#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "cli/commands/run.h"
#include "cli/tensors/data_warnings.h"
#include "cli/tensors/device.h"
#include "cli/tensors/phase_batches.h"
#include "cli/tensors/run_config.h"
#include "cli/tensors/run_phases.h"
#include "cli/tensors/shared_run.h"
#include "cli/tensors/summary.h"
#include "cli/tensors/training_codecs.h"
#include "cli/tensors/training_memory.h"
#include "config/notes.h"
#include "config/print_text.h"
#include "config/writer.h"
#include "data/target_words.h"
#include "distributed/process_group.h"
#include "network/network_model.h"
#include "text/codecs.h"
#include "train/checkpoints.h"
#include "train/run.h"
#include "train/run_lock.h"

namespace heed {

namespace {

// As the value of a key, which is YAML: the name stays as it is, whatever it holds.
std::string override_of(const char* key, const std::string& text) {
  if (!is_utf8(text))
    throw_error(ErrorKind::kUsage, "--{} {}: is not UTF-8; choose another name", key, text);
  return fmt::format("{}={}", key, print_text(text));
}

// --run is relative to the current folder, `run` of a config to that of the config.
RunConfig read_config(const TrainOptions& options) {
  std::vector<std::string> overrides = options.set;
  if (options.run && options.run->empty())
    throw_error(ErrorKind::kUsage, "--run: found '', expected a folder");
  if (options.run) overrides.push_back(override_of("run", fs::absolute(*options.run).string()));
  if (options.device) overrides.push_back(override_of("device", *options.device));
  return read_run_config(options.config, overrides, options.resume);
}

RunMode mode_of(const TrainOptions& options) {
  if (options.resume) return RunMode::kResume;
  return options.overwrite ? RunMode::kOverwrite : RunMode::kFresh;
}

// The codecs of the other model whose vocabularies can be extended: those with the same tokenizer.
Codecs extendable(const TextConfigs& text, const InitialModel& initial) {
  Codecs codecs = initial.model.codecs;
  for (const ChangedSetting& change : changed_text(initial.model.config.text, text)) {
    if (change.key.find(".vocabulary.") != std::string::npos) continue;
    constexpr size_t kSide = std::string_view("text.").size();
    codecs.erase(change.key.substr(kSide, change.key.find('.', kSide) - kSide));
  }
  return codecs;
}

// With another model's vocabularies, `text` has to be that model's, of the sides that there are.
void check_text(const TextConfigs& text, const InitialModel& initial) {
  for (const auto& [key, before, now] : changed_text(initial.model.config.text, text)) {
    if (now == kNotSet) continue;
    throw_error(ErrorKind::kUsage,
                "{}: found {}, but {} was trained with {}; leave `text` out to use its "
                "vocabularies, or set init.extend_vocabulary: true",
                key, now, initial.folder.string(),
                before == kNotSet ? "another tokenizer" : before);
  }
}

// The labels of the other model where it has them.
Codecs with_labels_of(const InitialModel& initial, Codecs codecs, Codecs labels) {
  for (auto& [name, codec] : labels) {
    if (initial.model.config.model.embedding.source_factors.contains(name))
      codec = initial.model.codecs.at(name);
  }
  codecs.merge(std::move(labels));
  return codecs;
}

int64_t examples_per_epoch(const CorpusReport& report) {
  double examples = 0;
  for (const CorpusCount& count : report.corpora) {
    examples += count.weight * static_cast<double>(count.kept);
  }
  return std::llround(examples);
}

// Of what is read, in pieces: the sources, or the text of a language model.
int64_t longest_read(const PairIndex& index) {
  const size_t sides = std::max<size_t>(1, index.sides() - 1);
  int64_t longest = 1;
  for (PairId pair = 0; pair < index.size(); ++pair) {
    for (size_t side = 0; side < sides; ++side)
      longest = std::max(longest, index.length(pair, side));
  }
  return longest;
}

std::optional<EvaluationSet> read_valid(const DataConfig& data, const PairEncoder& encoder) {
  std::optional<EvaluationSet> whole;
  for (const EvaluationConfig& config : data.valid) {
    EvaluationSet set =
        read_parallel("valid", find_evaluation_files(data.root({}), config), encoder);
    if (whole) {
      append(*whole, std::move(set));
    } else {
      whole = std::move(set);
    }
  }
  return whole;
}

std::vector<EvaluationSet> read_tests(const DataConfig& data, const PairEncoder& encoder) {
  std::vector<EvaluationSet> sets;
  for (const auto& [name, set] : data.test) {
    sets.push_back(read_parallel(name, find_evaluation_files(data.root({}), set), encoder));
  }
  return sets;
}

SavedModelConfig model_config(const RunConfig& config) {
  SavedModelConfig model;
  model.sources = config.data.sources();
  model.tags = config.data.tags();
  model.text = config.text;
  model.model = config.model;
  model.search = config.search;
  return model;
}

DataRecord record_data(const RunConfig& config) {
  std::vector<CorpusFiles> corpora = training_files(config);
  for (const EvaluationConfig& set : config.data.valid)
    corpora.push_back(find_evaluation_files(config.data.root({}), set));
  return record_data(corpora, text_files(config.text));
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

// The report on the data of each phase that has its own.
std::vector<std::string> notes_on_data(const std::vector<PhaseBatches>& batches) {
  std::vector<std::string> notes = batches.front().corpus->report().lines();
  for (size_t i = 1; i < batches.size(); ++i) {
    if (batches[i].corpus == batches[i - 1].corpus) continue;
    for (const std::string& line : batches[i].corpus->report().lines())
      notes.push_back(fmt::format("phase {}: {}", i + 1, line));
  }
  return notes;
}

// This process, and all that train together.
struct TrainingProcess {
  Launch launch{};
  std::shared_ptr<Reducer> all = std::make_shared<OneProcess>();
};

// What the codecs are learned from.
struct TrainingSources {
  std::shared_ptr<TrainingText> text{}, all_text{};  // of the first phase, of all phases
  std::optional<InitialModel> initial{};
};

TrainingSources find_sources(const RunConfig& config, const std::optional<ResumePlan>& plan) {
  TrainingSources sources;
  sources.text = std::make_shared<TrainingText>(find_training_files(config.data, {}));
  const std::vector<CorpusFiles> texts = training_texts(config);
  sources.all_text = texts.size() <= config.data.train.size()
                         ? sources.text
                         : std::make_shared<TrainingText>(texts);
  if (plan) return sources;
  warn_of_data(config, *sources.all_text);
  sources.initial = load_initial_model(config.init);
  return sources;
}

// The codecs that a resumed run was begun with, or those of the model that it starts from, else new
// ones.
Codecs make_codecs(const RunConfig& config, const TrainingSources& sources,
                   const std::optional<ResumePlan>& plan) {
  if (plan) return load_run_codecs(plan->checkpoint / "model", config);
  const auto& initial = sources.initial;
  if (initial && !config.init.extend_vocabulary) {
    check_text(config.text, *initial);
    return with_labels_of(*initial, load_codecs(initial->folder, config.text),
                          learn_label_codecs(config, *sources.all_text));
  }
  return learn_codecs(config, *sources.all_text,
                      initial ? extendable(config.text, *initial) : Codecs());
}

// Everything but the folder: reads all data, writes nothing.
TrainJob prepare(const RunConfig& config, const RunDirectory& folder, TrainingSources sources,
                 Codecs codecs, const TrainingProcess& process) {
  SavedModelConfig model = model_config(config);
  check_training_memory(config, vocabulary_sizes(model, codecs));
  const PairEncoder encoder = pair_encoder(model, codecs);
  const std::vector<PhaseBatches> batches = make_batches(config, sources.text, encoder);
  for (const PhaseBatches& phase : batches)
    model.max_length = std::max(model.max_length.value_or(1), longest_read(phase.corpus->index()));
  model.target_words = find_target_words(*sources.all_text);
  const auto is_of_first = [&](const PhaseBatches& one) {
    return one.corpus == batches.front().corpus;
  };
  const bool same_data = std::ranges::all_of(batches, is_of_first);
  return {
      .folder = folder,
      .seed = static_cast<uint64_t>(config.seed),
      .device = choose_device(config.device, process.launch.local_rank),
      .train = config.train,
      .model = std::move(model),
      .codecs = std::move(codecs),
      .batches = batches.front().stream,
      .phases = phases_of(config, batches),
      .examples_per_epoch = same_data ? examples_per_epoch(batches.front().corpus->report()) : 0,
      .valid = read_valid(config.data, encoder),
      .tests = read_tests(config.data, encoder),
      .notes = notes_on_data(batches),
      .init = config.init,
      .initial = std::move(sources.initial),
      .processes = process.all};
}

// All in one line: "vocabulary: source and target 8,000 subwords".
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

// A note on data that have changed since the checkpoint, if --data-changed allows that; none if they
// are the same. Throws Error(kData).
std::optional<std::string> check_data(const DataRecord& data, const TextConfigs& text,
                                      const ResumePlan& plan, const TrainOptions& options) {
  const std::string checkpoint = plan.checkpoint.string();
  const auto before = read_data_record(plan.checkpoint);
  if (!before) return checkpoint + " has no record of its data; whether they changed is unknown";
  const std::vector<std::string> changes = changed_data(*before, data, text_files(text));
  if (changes.empty()) return {};
  if (!options.data_changed) {
    throw_error(ErrorKind::kData,
                "the data have changed since {}: {}; restore them, train another run, or continue "
                "with --data-changed",
                checkpoint, fmt::join(changes, ", "));
  }
  return fmt::format("the data have changed since {}: {}; the epoch starts again with them",
                     checkpoint, fmt::join(changes, ", "));
}

int print_dry_run(const RunConfig& config, TrainJob job, const std::optional<ResumePlan>& plan) {
  job.train.workers = job.train.workers.value_or(1);
  const PreparedRun run(job, plan);
  log_vocabularies(config, job.codecs);
  for (const std::string& note : job.notes) spdlog::info("{}", note);
  for (const std::string& note : run.notes()) spdlog::info("{}", note);
  for (const std::string& phase : describe_phases(config)) spdlog::info("{}", phase);
  AtomicFile out("-");
  out.write("parameters\n" + parameter_table(run.network()) + describe_first_batch(job));
  out.commit();
  return 0;
}

// The path in messages: relative to the current folder where the run lies below it, else absolute.
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

// `run` of a config was once relative to the current folder: a run that lies there is pointed at.
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

// The checkpoint to start from; fills in the number of workers.
std::optional<ResumePlan> plan_run(const RunDirectory& folder, RunMode mode, RunConfig& config,
                                   const Launch& launch) {
  check_mode(folder, mode);
  RunConfig stored;
  const Machine machine{.has_gpu = choose_device(config.device, launch.local_rank).is_cuda(),
                        .local_processes = launch.local_processes};
  settle_settings(folder, mode, {config, config.train}, {stored, stored.train}, machine);
  return mode == RunMode::kResume ? plan_resume(folder) : std::nullopt;
}

// Whether a phase has the loss.
bool has_guided_alignment(const RunConfig& config) {
  return config.train.guided_alignment.weight > 0 ||
         std::ranges::any_of(config.phases, [](const RunPhase& phase) {
           return phase.learning.guided_alignment.weight > 0;
         });
}

// Of the first phase and of all later ones.
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

// What has to be equal in all processes.
NamedHashes hashes_of(const RunConfig& config, const TrainJob& job,
                      const std::optional<ResumePlan>& plan) {
  RunConfig shown = config;
  shown.device.clear();
  return {{"the config", hash_bytes(write_config(shown))},
          {"the files of the data", hash_bytes(to_json(job.data))},
          {"the checkpoint that it resumes",
           plan ? hash_file(progress_file(plan->checkpoint)) : std::string()}};
}

// A run that is ready to begin; nothing is written so far.
struct ReadyRun {
  RunDirectory folder;
  RunMode mode;
  RunConfig config{};
  std::optional<RunLock> lock{};  // of the first process, if there is a run already
  std::optional<ResumePlan> plan{};
  DataRecord data{};
  std::optional<std::string> data_note{};
  TrainingSources sources{};
  TrainJob job{.folder = folder};
};

RunConfig checked_config(const TrainOptions& options) {
  RunConfig config = read_config(options);
  check_training_memory(config);
  forget_unread(config);
  for (const std::string& note : notes_on(config.model, "model")) spdlog::info("{}", note);
  return config;
}

std::unique_ptr<ReadyRun> begin(const TrainOptions& options, const TrainingProcess& process) {
  RunConfig config = checked_config(options);
  auto run = std::make_unique<ReadyRun>(
      ReadyRun{.folder = RunDirectory(run_in_messages(config.run)), .mode = mode_of(options)});
  const RunDirectory& folder = run->folder;
  if (process.all->is_first() && look_at(folder).holds_run()) run->lock.emplace(folder.folder());
  if (run->mode == RunMode::kResume && !options.run) refuse_other_folder(config, folder);
  run->plan = plan_run(folder, run->mode, config, process.launch);
  run->data = record_data(config);
  if (run->plan) run->data_note = check_data(run->data, config.text, *run->plan, options);
  run->sources = find_sources(config, run->plan);
  run->config = std::move(config);
  return run;
}

void finish(ReadyRun& run, Codecs codecs, const TrainOptions& options,
            const TrainingProcess& process) {
  run.job = prepare(run.config, run.folder, std::move(run.sources), std::move(codecs), process);
  run.job.data = run.data;
  run.job.data_changed = options.data_changed && run.data_note.has_value();
  run.job.resume_command = resume_command(options);
}

// By the first process.
void open(ReadyRun& run) {
  run.folder.make();
  if (!run.lock) run.lock.emplace(run.folder.folder());
  run.config.run = ".";
  open_run(run.folder, run.mode, run.config);
  if (run.mode == RunMode::kResume && !run.plan)
    spdlog::info("{}: has no checkpoint yet; training starts at update 1",
                 run.folder.folder().string());
  if (run.data_note) spdlog::warn("{}", *run.data_note);
  log_vocabularies(run.config, run.job.codecs);
}

int dry_run(const TrainOptions& options) {
  const RunConfig config = checked_config(options);
  const RunDirectory folder(run_in_messages(config.run));
  const auto plan = options.resume ? plan_resume(folder) : std::nullopt;
  TrainingSources sources = find_sources(config, plan);
  Codecs codecs = make_codecs(config, sources, plan);
  return print_dry_run(config, prepare(config, folder, std::move(sources), std::move(codecs), {}),
                       plan);
}

}  // namespace

// Writes nothing and deletes no run before data, vocabularies and network are complete.
int run_train(const TrainOptions& options) {
  const Launch launch = find_launch();
  if (options.dry_run) return launch.rank == 0 ? dry_run(options) : 0;
  survive_closed_pipes();
  leave_on_signals("heed: interrupted before training began; nothing was changed\n");
  if (launch.rank != 0) set_up_log("error");  // the first process says it
  const TrainingProcess process{.launch = launch, .all = join_processes(launch)};

  std::unique_ptr<ReadyRun> ready;
  together_with_one_message(*process.all, [&] { ready = begin(options, process); });
  const auto learn = [&] { return make_codecs(ready->config, ready->sources, ready->plan); };
  Codecs codecs = shared_codecs(*process.all, ready->config, learn);
  std::optional<PreparedRun> run;
  together_with_one_message(*process.all, [&] {
    finish(*ready, std::move(codecs), options, process);
    run.emplace(ready->job, ready->plan);
  });
  require_equal(*process.all, hashes_of(ready->config, ready->job, ready->plan));
  ready->job.initial.reset();  // its memory

  catch_signals();
  together_with_one_message(*process.all, [&] {
    if (process.all->is_first()) open(*ready);
  });
  return run->train();
}

}  // namespace heed
