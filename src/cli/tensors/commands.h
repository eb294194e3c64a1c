// The commands that need tensors; each returns its exit code.
#pragma once

#include <string>

#include <torch/types.h>

#include "cli/options.h"

namespace heed {

int run_train(const TrainOptions& options);
int run_translate(const TranslateOptions& options);
int run_score(const ScoreOptions& options);
int run_inspect(const InspectOptions& options);
int run_config_command(const ConfigOptions& options);
int run_attention(const AttentionOptions& options);
int run_plot_attention(const PlotAttentionOptions& options);

// auto, cpu, cuda or cuda:N. Throws Error(kUsage) if there is no such device.
torch::Device choose_device(const std::string& name);

}  // namespace heed
