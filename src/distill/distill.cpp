#include "distill/distill.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/json_text.h"
#include "base/log.h"
#include "run/run_lock.h"
#include "sweep/child_command.h"

namespace heed {

DistillOutcome run_distillation(const DistillPlan& plan) {
  make_folders(plan.files.folder);
  const RunLock lock(plan.files.folder,
                     "is distilling into this folder; wait until it ends or stop it, or give "
                     "another folder (--run FOLDER)");
  catch_signals();
  StageRunner runner(plan.files.folder, plan.request.retrain);
  try {
    for (const Stage& stage : plan.stages) runner.run(stage);
  } catch (const Interrupted&) {
    spdlog::info("interrupted. Continue: {}", plan.command());
    return {.exit_code = exit_code_of(caught_signal())};
  }
  DistillOutcome outcome{.report = make_report(plan, runner)};
  write_file(plan.files.folder / "report.html", outcome.report->html());
  write_file(plan.files.folder / "report.json", outcome.report->json());
  spdlog::info("report: {}; student: {}", (plan.files.folder / "report.html").string(),
               plan.files.packed().string());
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

std::string plan_json(const DistillPlan& plan) {
  nlohmann::ordered_json json{{"stages", nlohmann::ordered_json::array()}};
  for (const Stage& stage : plan.stages) {
    nlohmann::ordered_json commands = nlohmann::ordered_json::array();
    for (const StagePart& part : stage.parts) {
      if (!part.arguments.empty()) commands.push_back(shell_command(part.arguments));
    }
    json["stages"].push_back(
        {{"name", stage.name}, {"title", stage.title}, {"commands", std::move(commands)}});
  }
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace heed
