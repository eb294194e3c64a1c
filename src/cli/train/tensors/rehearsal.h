// The steps of training before it writes anything. `heed train --dry-run` and `heed config check` take
// the same steps and stop there, so they accept and refuse what training does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/train/tensors/training_job.h"
#include "train/run.h"

namespace heed {

// The config of a training, after notes and warnings: without the files that nothing reads. Throws
// what read_run_config() throws, and Error(kUsage) where the memory of this machine is too small.
RunConfig read_training_config(const std::string& file, const std::vector<std::string>& overrides,
                               bool resumes = false);

// Fills in what this machine decides (train/run.h). Throws Error(kUsage), Error(kModel).
void settle_settings(const RunDirectory& folder, RunMode mode, RunConfig& config,
                     const Launch& launch);

// The job of one process with these settings, from all of its data; its network is not made yet
// (PreparedRun). Throws Error: kUsage, kModel, kIo, kData.
TrainJob rehearse(const RunConfig& config, const RunDirectory& folder,
                  const std::optional<ResumePlan>& plan, const std::shared_ptr<DataCache>& cache);

}  // namespace heed
