#include "distill/distill.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "run/run_lock.h"
#include "sweep/sweep_plan.h"

namespace heed {

DistillOutcome run_distillation(const DistillPlan& plan) {
  make_folders(plan.folder);
  const RunLock lock(plan.folder,
                     "is distilling into this folder; wait until it ends or stop it, or give "
                     "another folder (--run FOLDER)");
  catch_signals();
  StageRunner runner(plan.folder, plan.request.retrain);
  try {
    for (const Stage& stage : plan.stages) runner.run(stage);
  } catch (const Interrupted&) {
    spdlog::info("interrupted. Continue: {}", plan.command());
    return {.exit_code = exit_code_of(caught_signal())};
  }
  DistillOutcome outcome{.report = make_report(plan, runner)};
  write_file(plan.folder / "report.html", outcome.report->html());
  write_file(plan.folder / "report.json", outcome.report->json());
  spdlog::info("report: {}; student: {}", (plan.folder / "report.html").string(),
               plan.packed().string());
  return outcome;
}

std::string describe_plan(const DistillPlan& plan) {
  std::string text;
  for (const Stage& stage : plan.stages) {
    text += fmt::format("# {}: {}\n", stage.name, stage.title);
    for (const StagePart& part : stage.parts) {
      if (!part.arguments.empty()) text += shell_command(part.arguments) + "\n";
    }
  }
  return text;
}

}  // namespace heed
