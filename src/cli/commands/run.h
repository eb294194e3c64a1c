// The work of the commands that need tensors, each in its NAME_run.cpp; returns the exit code.
#pragma once

#include "cli/options.h"

namespace heed {

int run_train(const TrainOptions& options);
int run_score(const ScoreOptions& options);
int run_inspect(const InspectOptions& options);
int run_average(const AverageOptions& options);
int run_import(const ImportOptions& options);
int run_export(const ExportOptions& options);
int run_check(const CheckOptions& options);
int run_plot_attention(const PlotAttentionOptions& options);

}  // namespace heed
