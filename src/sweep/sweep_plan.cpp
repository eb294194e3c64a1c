#include "sweep/sweep_plan.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/shell.h"
#include "base/small_file.h"
#include "config/mistakes.h"
#include "config/parse.h"
#include "config/print_text.h"
#include "run/changed_data.h"
#include "run/chosen_folder.h"
#include "run/run_directory.h"
#include "run/run_state.h"
#include "sweep/self_training.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

std::string config_hash_of(const std::string& config) {
  return hash_bytes(read_config_start(config));
}

// The --set of a setting.
std::vector<std::string> overrides_of(const SweepRequest& request, const SweepSetting& setting) {
  const fs::path folder = fs::absolute(request.config).parent_path();
  static const PathKeys keys{ConfigFile()};
  std::vector<std::string> set = request.set;
  for (const SettingChange& change : setting.changes)
    set.push_back(override_text(change.key, change.value, folder, keys));
  return set;
}

// The config, which may be incomplete without the changes of a setting, such as those of data.dir: the
// first setting then completes it. Throws Error(kUsage) for mistakes that no setting corrects.
ConfigFile read_config(const SweepRequest& request) {
  ConfigFile file;
  std::vector<Problem> problems =
      find_config_problems(request.config, request.set, /*resumes=*/false, file);
  const bool in_sweep = std::ranges::any_of(
      problems, [](const Problem& problem) { return problem.path.starts_with("sweep"); });
  if (problems.empty()) return file;
  if (in_sweep || !file.sweep) return read_whole_config(request.config, request.set);
  const SweepSetting first = settings_of(*file.sweep).front();
  const std::vector<Problem> left =
      find_config_problems(request.config, overrides_of(request, first), false, file);
  std::erase_if(problems, [&](const Problem& problem) {
    return std::ranges::none_of(left, [&](const Problem& other) {
      return other.path == problem.path && other.message == problem.message;
    });
  });
  throw_if_any(problems, request.config);
  return file;
}

// Checks the config of each run, and places its problems at the settings that cause them.
class RunChecks {
 public:
  RunChecks(const SweepPlan& plan, const Node& tree) : plan_(plan), tree_(tree) {}

  // Fills in its config.
  void check(PlannedRun& run) {
    const SweepSetting& setting = plan_.settings[run.setting];
    std::vector<std::string> set = run.set;
    set.push_back("run=" + print_text(run.folder.string()));
    const bool resumes = look_at(RunDirectory(run.folder)).can_be_resumed();
    ConfigFile file;
    try {
      for (const Problem& problem : find_config_problems(plan_.request.config, set, resumes, file))
        add(setting, problem);
    } catch (const Error& error) {
      add(setting, {.file = "", .path = "", .message = first_line(error.what())});
    }
    run.config = std::move(file.run);
  }

  void add(const SweepSetting& setting, const Problem& problem) {
    for (const SettingChange& change : setting.changes) {
      if (problem.file != "--set " + change.key) continue;
      const std::string inside =
          problem.path.starts_with(change.key) ? problem.path.substr(change.key.size()) : "";
      return add(change.path + inside, problem.message);
    }
    const std::string path = setting.changes.empty() ? "sweep" : setting.changes.front().path;
    add(path, fmt::format("with the setting {}: {}{}{}", setting.name, problem.path,
                          problem.path.empty() ? "" : ": ", problem.message));
  }

  void add(const std::string& path, const std::string& message) {
    if (!known_.insert({path, message}).second) return;
    Problem problem{.file = plan_.request.config, .path = path, .message = message};
    const Found found = find_path(tree_, path);
    const FilePlace place = found.entry != nullptr ? found.node->place : FilePlace{};
    problem.line = place.line;
    problem.column = place.column;
    if (!place.origin.empty()) problem.file = place.origin;
    problems_.push_back(std::move(problem));
  }

  // Throws Error(kUsage) if there are problems.
  void finish() {
    sort_problems(problems_);
    throw_if_any(problems_, plan_.request.config);
  }

 private:
  const SweepPlan& plan_;
  const Node& tree_;
  std::vector<Problem> problems_;
  std::set<std::pair<std::string, std::string>> known_;  // path and message
};

void check_names(const SweepPlan& plan, RunChecks& checks) {
  std::set<std::string> names;
  for (const SweepSetting& setting : plan.settings) {
    if (names.insert(setting.name).second) continue;
    checks.add(setting.changes.back().path,
               fmt::format("two settings have the name {}: give values names by a map, {{NAME: "
                           "VALUE, …}}",
                           setting.name));
  }
}

// Refuses a key of --set that settings change.
void check_options(const SweepPlan& plan) {
  for (const std::string& text : plan.request.set) {
    const std::string key = parse_override(text).path;
    for (const SettingChange& change : plan.settings.front().changes) {
      if (change.key == key || change.key.starts_with(key + "."))
        throw_error(ErrorKind::kUsage,
                    "--set {}: is a key that the settings of the sweep change ({})", key,
                    change.path);
    }
    if (key == "seed" || key == "run")
      throw_error(ErrorKind::kUsage, "--set {}: give sweep.{}", key,
                  key == "seed" ? "seeds" : "folder, or --run FOLDER");
  }
}

void check_halving(const SweepPlan& plan, RunChecks& checks) {
  if (!plan.halving) return;
  const std::string& metric = plan.runs.front().config.train.validation.metric.name;
  for (const PlannedRun& run : plan.runs) {
    const ValidateConfig& validation = run.config.train.validation;
    const std::string path = "sweep.halving.every";
    if (run.config.data.valid.empty())
      checks.add("sweep.halving", "needs a validation set, data.valid");
    if (plan.halving->every % validation.every != 0)
      checks.add(path, fmt::format("found {}, expected a multiple of train.validate.every, {}",
                                   plan.halving->every, validation.every));
    if (validation.metric.name != metric)
      checks.add("sweep.halving",
                 fmt::format("compares settings by train.validate.metric, but it is {} and {}",
                             metric, validation.metric.name));
  }
}

// Checks that the models can form an ensemble, or label text.
void check_teachers(const SweepPlan& plan, RunChecks& checks) {
  for (const PlannedRun& run : plan.runs) {
    const DataConfig& data = run.config.data;
    if (plan.ensemble && data.sources().empty())
      checks.add("sweep.ensemble", "needs models that translate, not language models");
    if (plan.self_training && (data.sources().size() != 1 || data.has_edges() ||
                               !data.factors().empty() || !data.tags().empty()))
      checks.add("sweep.self_training.source",
                 "is one text, but the model reads more than one source: leave sweep.self_training "
                 "out");
  }
  if (plan.self_training && !is_there(plan.self_training->source))
    checks.add("sweep.self_training.source",
               fmt::format("no such file: {}", plan.self_training->source));
}

// Fills in the present data of the runs that have been trained before. Runs have most files in common.
void record_present_data(SweepPlan& plan) {
  DataCache cache;
  for (PlannedRun& run : plan.runs) {
    if (RunDirectory(run.folder).saved_updates().empty()) continue;
    RunFiles files = find_run_files(run.config);
    run.data = record_data(files, cache);
    run.text = std::move(files.text);
  }
}

// The config of the same seed without self-training, with the pairs that its teacher will label.
RunConfig config_of_student(const SweepPlan& plan, const PlannedRun& run) {
  size_t setting = run.setting;
  while (plan.settings[setting].teacher) setting = *plan.settings[setting].teacher;
  for (const PlannedRun* other : plan.runs_of(setting)) {
    if (other->seed != run.seed) continue;
    RunConfig config = other->config;
    const AgreedFiles files =
        agreed_files(fs::absolute(plan.folder / plan.settings[run.setting].name));
    CorpusConfig& pairs = config.data.train.emplace_back();
    pairs.source = {{kSourceSide, files.source.string()}};
    pairs.target = files.target.string();
    return config;
  }
  HEED_CHECK(false, "{}", run.name);
  return {};
}

Node tree_of(const std::string& config, const std::vector<std::string>& set) {
  std::vector<Problem> known;  // read_whole_config() reports them
  std::vector<Override> overrides;
  for (const std::string& text : set) overrides.push_back(parse_override(text));
  return read_tree(read_config_start(config), config, overrides, known).value_or(Node{});
}

void add_runs(SweepPlan& plan, const std::vector<std::string>& seeds) {
  for (size_t i = 0; i < plan.settings.size(); ++i) {
    const SweepSetting& setting = plan.settings[i];
    const std::vector<std::string> set = overrides_of(plan.request, setting);
    for (const std::string& seed : seeds) {
      PlannedRun& run = plan.runs.emplace_back(PlannedRun{.setting = i, .seed = seed});
      run.name = setting.name + "/" + seed;
      run.folder = plan.folder / setting.name / seed;
      run.set = set;
      run.set.push_back("seed=" + seed);
      run.set.emplace_back("sweep=~");
    }
  }
}

}  // namespace

std::vector<const PlannedRun*> SweepPlan::runs_of(size_t setting) const {
  std::vector<const PlannedRun*> own;
  for (const PlannedRun& run : runs) {
    if (run.setting == setting) own.push_back(&run);
  }
  return own;
}

std::vector<std::string> SweepPlan::arguments(const PlannedRun& run, std::optional<int64_t> updates,
                                              bool overwrite) const {
  std::vector<std::string> words{"train", request.config, "--run", run.folder.string(),
                                 overwrite ? "--overwrite" : "--auto-resume"};
  std::vector<std::string> set = run.set;
  if (updates) {
    set.push_back(fmt::format("train.max_updates={}", *updates));
    set.emplace_back("data.test={}");  // the test sets are scored at the end of the training
  }
  for (const std::string& one : set) words.insert(words.end(), {"--set", one});
  return words;
}

std::string SweepPlan::command() const {
  std::string command = "heed sweep " + shell_word(request.config);
  for (const std::string& setting : request.set) command += " --set " + shell_word(setting);
  if (request.run) command += " --run " + shell_word(*request.run);
  if (request.jobs) command += fmt::format(" --jobs {}", *request.jobs);
  return command;
}

SweepPlan plan_sweep(const SweepRequest& request) {
  if (request.config == "-")
    throw_error(ErrorKind::kUsage, "each run of a sweep reads the config: give a file, not -");
  const ConfigFile file = read_config(request);
  if (!file.sweep)
    throw_error(ErrorKind::kUsage,
                "{}: has no section `sweep`; add one, such as `sweep: {{seeds: [1, 2, 3]}}`",
                request.config);
  SweepPlan plan{.request = request,
                 .folder = choose_folder(request.run, file.sweep->folder, file.run.run, "-sweep"),
                 .config_hash = config_hash_of(request.config),
                 .settings = settings_of(*file.sweep),
                 .jobs = request.jobs.value_or(file.sweep->jobs),
                 .halving = file.sweep->halving,
                 .ensemble = file.sweep->ensemble,
                 .self_training = file.sweep->self_training};
  check_options(plan);
  const Node tree = tree_of(request.config, request.set);
  RunChecks checks(plan, tree);
  std::vector<std::string> seeds = file.sweep->seeds;
  if (seeds.empty()) seeds.push_back(std::to_string(file.run.seed));
  add_students(plan, [&](const SweepSetting& setting) {
    return tree_of(request.config, overrides_of(request, setting));
  });
  check_names(plan, checks);
  add_runs(plan, seeds);
  for (PlannedRun& run : plan.runs) {
    if (plan.settings[run.setting].teacher) {
      run.config = config_of_student(plan, run);
    } else {
      checks.check(run);
    }
  }
  check_halving(plan, checks);
  check_teachers(plan, checks);
  checks.finish();
  record_present_data(plan);
  return plan;
}

void check_unchanged(const SweepPlan& plan) {
  if (config_hash_of(plan.request.config) == plan.config_hash) return;
  throw_error(ErrorKind::kUsage,
              "{}: has changed since the sweep began; the runs so far are kept. Continue with the "
              "config of now: {}",
              plan.request.config, plan.command());
}

}  // namespace heed
