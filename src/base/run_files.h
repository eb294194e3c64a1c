// Names of the files in the folder of a run, and how a run ended, as its metrics.jsonl says.
#pragma once

namespace heed {

inline constexpr const char* kRunConfig = "config.yaml";
inline constexpr const char* kRunLog = "train.log";
inline constexpr const char* kRunMetrics = "metrics.jsonl";
inline constexpr const char* kRunCheckpoints = "checkpoints";
inline constexpr const char* kRunEvents = "tensorboard";
inline constexpr const char* kRunLock = ".lock";

inline constexpr const char* kFinished = "finished";
inline constexpr const char* kStopped = "stopped";
inline constexpr const char* kDiverged = "diverged";

}  // namespace heed
