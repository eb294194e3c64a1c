// Names of the files in the folder of a run.
#pragma once

namespace heed {

inline constexpr const char* kRunConfig = "config.yaml";
inline constexpr const char* kRunLog = "train.log";
inline constexpr const char* kRunMetrics = "metrics.jsonl";
inline constexpr const char* kRunCheckpoints = "checkpoints";
inline constexpr const char* kRunEvents = "tensorboard";
inline constexpr const char* kRunLock = ".lock";

}  // namespace heed
