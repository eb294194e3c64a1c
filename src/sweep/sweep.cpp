#include "sweep/sweep.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_lines.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/log.h"
#include "config/mistakes.h"
#include "config/print.h"
#include "results/cell_text.h"
#include "run/run_lock.h"
#include "sweep/child_command.h"
#include "sweep/ensemble.h"
#include "sweep/halving.h"
#include "sweep/self_training.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

std::string settings_text(const SweepSetting& setting) {
  std::vector<std::string> texts;
  for (const SettingChange& change : setting.changes)
    texts.push_back(fmt::format("{}: {}", change.key, print_inline(change.value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

constexpr const char *kStateChanged = "changed", *kStateFinished = "finished";

// "new", "begun", kStateChanged or kStateFinished.
std::string state_of(const PlannedRun& run) {
  const TrainedRun found = look_at_run(run);
  if (!found.changed.empty()) return kStateChanged;
  if (found.is_done(std::nullopt)) return kStateFinished;
  return found.saved > 0 ? "begun" : "new";
}

// `heed train …`, which a shell could run.
std::string command_of(const SweepPlan& plan, const PlannedRun& run) {
  return shell_command(plan.arguments(run, std::nullopt, /*overwrite=*/false));
}

// Refuses runs of other settings, or says that they are trained anew.
void check_trained_runs(const SweepPlan& plan) {
  std::vector<std::string> lines;
  for (const PlannedRun& run : plan.runs) {
    const TrainedRun found = look_at_run(run);
    if (!found.changed.empty())
      lines.push_back(fmt::format("{}: {}", run.folder.string(), changes_text(found.changed)));
  }
  if (lines.empty()) return;
  const std::string count =
      fmt::format("{} of {} runs {} trained with other settings or data", lines.size(),
                  plan.runs.size(), lines.size() == 1 ? "was" : "were");
  if (plan.request.retrain) {
    spdlog::warn("{}, and {} trained anew:", count, lines.size() == 1 ? "is" : "are");
    for (const std::string& line : lines) spdlog::warn("{}", line);
    return;
  }
  lines.insert(
      lines.begin(),
      fmt::format("{}; give --retrain to train them anew, or another folder (--run FOLDER)",
                  count));
  throw ErrorLines(ErrorKind::kUsage, std::move(lines));
}

void write_table(const SweepPlan& plan, const SweepTable& table) {
  write_file(plan.folder / "table.tsv", tsv_table(table));
  write_file(plan.folder / "table.json", json_table(table));
}

int64_t count_done(const SweepPlan& plan) {
  int64_t done = 0;
  for (const PlannedRun& run : plan.runs) done += look_at_run(run).is_done(std::nullopt);
  return done;
}

// Trains, labels and scores in the order of the plan.
class SweepWork {
 public:
  explicit SweepWork(const SweepPlan& plan) : plan_(plan), pool_(plan) {}

  // Throws Interrupted after a signal.
  SweepResults results() {
    SweepResults results{.stopped = train_all(plan_, pool_)};
    check_signal();
    for (size_t next = 0; next < plan_.settings.size();) next = train_students(next);
    if (plan_.ensemble) results.ensembles = score_ensembles();
    results.failures = pool_.failures();
    results.failures.insert(failures_.begin(), failures_.end());
    return results;
  }

 private:
  void check_signal() const {
    if (pool_.signal() != 0) throw Interrupted();
  }

  bool is_trained(size_t setting) const {
    return std::ranges::all_of(plan_.runs_of(setting), [](const PlannedRun* run) {
      return look_at_run(*run).is_done(std::nullopt);
    });
  }

  // Labels text for the students that begin with this setting and whose teachers are trained, and trains
  // these. Returns the first setting behind them.
  size_t train_students(size_t next) {
    std::vector<size_t> labelled;
    const size_t first = next;
    for (; next < plan_.settings.size(); ++next) {
      const auto teacher = plan_.settings[next].teacher;
      if (teacher && *teacher >= first) break;  // the next round
      if (teacher && is_trained(*teacher) && label(next)) labelled.push_back(next);
    }
    pool_.train(labelled);
    check_signal();
    return next;
  }

  bool label(size_t student) try {
    label_text(plan_, student);
    return true;
  } catch (const Error& error) {
    spdlog::error("{}: {}", plan_.settings[student].name, error.what());
    for (const PlannedRun* run : plan_.runs_of(student)) failures_[run->name] = error.what();
    return false;
  }

  std::map<size_t, EnsembleResult> score_ensembles() const {
    std::map<size_t, EnsembleResult> ensembles;
    for (size_t i = 0; i < plan_.settings.size(); ++i) {
      if (!is_trained(i)) continue;
      spdlog::info("{}: scores the ensemble of {} runs", plan_.settings[i].name,
                   plan_.runs_of(i).size());
      try {
        ensembles[i].scores = ensemble_scores(plan_, i);
      } catch (const Error& error) {
        ensembles[i].failure = error.what();
        spdlog::error("{} (ensemble): {}", plan_.settings[i].name, error.what());
      }
    }
    return ensembles;
  }

  const SweepPlan& plan_;
  RunPool pool_;
  std::map<std::string, std::string> failures_{};  // of students without labels, by run
};

}  // namespace

SweepOutcome run_sweep(const SweepPlan& plan) {
  make_folders(plan.folder);
  const RunLock lock(plan.folder,
                     "is sweeping into this folder; wait until it ends or stop it, or give another "
                     "folder (--run FOLDER)");
  check_trained_runs(plan);
  catch_signals();
  const int64_t done = count_done(plan);
  spdlog::info("{}: {} settings, {} runs{}", plan.folder.string(), plan.settings.size(),
               plan.runs.size(), done == 0 ? "" : fmt::format(", {} finished", done));
  SweepResults results;
  try {
    results = SweepWork(plan).results();
  } catch (const Interrupted&) {
    spdlog::info("interrupted; {} of {} runs are finished. Continue: {}", count_done(plan),
                 plan.runs.size(), plan.command());
    return {.exit_code = exit_code_of(caught_signal())};
  }
  SweepOutcome outcome{.table = make_table(plan, results)};
  write_table(plan, *outcome.table);
  if (!results.failures.empty()) {
    spdlog::error("{} of {} runs failed", results.failures.size(), plan.runs.size());
    outcome.exit_code = 1;
  }
  for (const auto& [setting, ensemble] : results.ensembles) {
    if (!ensemble.failure.empty()) outcome.exit_code = 1;
  }
  return outcome;
}

std::string describe_plan(const SweepPlan& plan) {
  std::string text;
  for (const PlannedRun& run : plan.runs) {
    const std::string settings = settings_text(plan.settings[run.setting]), state = state_of(run);
    text += fmt::format("# {}{}{}{}\n{}\n", run.name, settings.empty() ? "" : "; ", settings,
                        state == kStateChanged    ? "; trained with other settings or data"
                        : state == kStateFinished ? "; finished"
                                                  : "",
                        command_of(plan, run));
  }
  return text;
}

std::string plan_json(const SweepPlan& plan) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const PlannedRun& run : plan.runs) {
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();
    for (const SettingChange& change : plan.settings[run.setting].changes)
      settings[change.key] = print_inline(change.value);
    runs.push_back({{"name", run.name},
                    {"setting", plan.settings[run.setting].name},
                    {"seed", run.seed},
                    {"folder", run.folder.string()},
                    {"state", state_of(run)},
                    {"settings", std::move(settings)},
                    {"command", command_of(plan, run)}});
  }
  constexpr int kIndent = 2;
  return json_text(runs, kIndent) + "\n";
}

std::string plan_tsv(const SweepPlan& plan) {
  Records records{{"name", "setting", "seed", "folder", "state", "settings", "command"}};
  for (const PlannedRun& run : plan.runs) {
    const SweepSetting& setting = plan.settings[run.setting];
    records.push_back({run.name, setting.name, run.seed, run.folder, state_of(run),
                       settings_text(setting), command_of(plan, run)});
  }
  return tsv_text(records);
}

}  // namespace heed
