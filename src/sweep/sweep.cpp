#include "sweep/sweep.h"

#include "base/error_lines.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "config/print.h"
#include "run/run_lock.h"
#include "sweep/halving.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

std::string settings_text(const SweepSetting& setting) {
  std::vector<std::string> texts;
  for (const SettingChange& change : setting.changes)
    texts.push_back(fmt::format("{}: {}", change.key, print_inline(change.value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// "model.encoder.width: was 64, is 32; …"
std::string changes_text(const std::vector<ChangedSetting>& changes) {
  std::vector<std::string> texts;
  for (const ChangedSetting& change : changes)
    texts.push_back(fmt::format("{}: was {}, is {}", change.key, change.before, change.now));
  return fmt::format("{}", fmt::join(texts, "; "));
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
  RunPool pool(plan);
  const std::map<size_t, int64_t> stopped = train_all(plan, pool);
  if (pool.signal() != 0) {
    spdlog::info("interrupted; {} of {} runs are finished. Continue: {}", count_done(plan),
                 plan.runs.size(), plan.command());
    return {.exit_code = exit_code_of(pool.signal())};
  }
  SweepOutcome outcome{.table = make_table(plan, stopped, pool.failures())};
  write_table(plan, *outcome.table);
  if (!pool.failures().empty()) {
    spdlog::error("{} of {} runs failed", pool.failures().size(), plan.runs.size());
    outcome.exit_code = 1;
  }
  return outcome;
}

std::string describe_plan(const SweepPlan& plan) {
  std::string text;
  for (const PlannedRun& run : plan.runs) {
    const TrainedRun found = look_at_run(run);
    const std::string settings = settings_text(plan.settings[run.setting]);
    text += fmt::format("# {}{}{}{}\n{}\n", run.name, settings.empty() ? "" : "; ", settings,
                        !found.changed.empty()        ? "; trained with other settings or data"
                        : found.is_done(std::nullopt) ? "; finished"
                                                      : "",
                        shell_command(plan.arguments(run, std::nullopt, /*overwrite=*/false)));
  }
  return text;
}

}  // namespace heed
