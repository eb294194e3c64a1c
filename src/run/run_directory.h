// The folder of a run: config.yaml, train.log, metrics.jsonl, tensorboard/ if it is wanted,
// translations/ of the test sets, checkpoints/step-…, and the links best and latest. run_state.h
// lists the required ones.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/run_folder_names.h"
#include "config/fields.h"

namespace heed {

enum class RunMode { kFresh, kResume, kOverwrite };

class RunDirectory {
 public:
  explicit RunDirectory(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path config() const { return folder_ / kRunConfig; }
  std::filesystem::path log() const { return folder_ / kRunLog; }
  std::filesystem::path metrics() const { return folder_ / kRunMetrics; }
  std::filesystem::path events() const { return folder_ / kRunEvents; }
  std::filesystem::path checkpoints() const { return folder_ / kRunCheckpoints; }
  std::filesystem::path checkpoint(int64_t update) const;

  // The stored config. One that cannot be read is Error(kModel).
  void read_config(Settings& settings) const;

  // Makes the folder alone, for the lock.
  void make() const;
  // Checks the mode (check_mode) and makes everything ready: removes temporary files of killed
  // writers; overwrite removes the run and nothing else, config.yaml last, so that after a kill the
  // rest can be resumed or started.
  void open(RunMode mode) const;

  // Updates with a checkpoint, whole or not, in their order. Throws Error(kUsage) if the run is a
  // file.
  std::vector<int64_t> saved_updates() const;
  // The folders that the links name, if they are there.
  std::optional<std::filesystem::path> latest() const;
  std::optional<std::filesystem::path> best() const;

  // A checkpoint that appears whole or not at all: `fill` writes into the folder it is given, the
  // manifest comes last. It replaces a damaged one.
  void add_checkpoint(int64_t update,
                      const std::function<void(const std::filesystem::path&)>& fill) const;
  void point_latest(int64_t update) const;
  void point_best(int64_t update) const;
  // Removes the checkpoints that are not in the list and that no link names.
  void prune(const std::vector<int64_t>& kept) const;

 private:
  std::optional<std::filesystem::path> linked(const char* name) const;
  std::filesystem::path folder_;
};

}  // namespace heed
