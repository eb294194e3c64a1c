// A sweep from its plan to its table.
#pragma once

#include <optional>
#include <string>

#include "sweep/sweep_table.h"

namespace heed {

struct SweepOutcome {
  int exit_code = 0;                  // 1 if runs failed; that of the signal if one came
  std::optional<SweepTable> table{};  // nullopt after a signal
};

// Trains what is not trained yet, and writes table.tsv and table.json to the folder of the sweep.
// Throws Error(kIo) if another sweep has the folder, Error(kUsage) if runs were trained with other
// settings and are not to be trained anew, or if the config changes meanwhile.
SweepOutcome run_sweep(const SweepPlan& plan);

// A list of the runs with their settings and commands, which a shell could run.
std::string describe_plan(const SweepPlan& plan);
// The same as a list of objects, or as a table with tabs. Each run has its name, setting, seed, folder,
// state (new, begun, changed, finished), settings and command.
std::string plan_json(const SweepPlan& plan);
std::string plan_tsv(const SweepPlan& plan);

}  // namespace heed
