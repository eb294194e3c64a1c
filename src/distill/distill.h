// A distillation from its plan to its report.
#pragma once

#include <optional>
#include <string>

#include "distill/distill_report.h"

namespace heed {

struct DistillOutcome {
  int exit_code = 0;                      // that of the signal if one came
  std::optional<DistillReport> report{};  // nullopt after a signal
};

// Does the stages that are not done, and writes report.html and report.json to the folder. Throws
// Error(kIo) if another process works in the folder, and what StageRunner::run() throws.
DistillOutcome run_distillation(const DistillPlan& plan);

// The stages with their commands, which a shell could run, as text or as JSON.
std::string describe_plan(const DistillPlan& plan);
std::string plan_json(const DistillPlan& plan);

}  // namespace heed
