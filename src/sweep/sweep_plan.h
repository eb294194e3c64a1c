// A sweep that is asked for: its runs with their configs, all of them checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/config_file.h"
#include "run/data_record.h"
#include "sweep/sweep_settings.h"

namespace heed {

struct SweepRequest {
  std::string config;                // path of the YAML file
  std::vector<std::string> set{};    // KEY=VALUE for all runs
  std::optional<std::string> run{};  // instead of sweep.folder; from the current folder
  std::optional<int64_t> jobs{};     // instead of sweep.jobs
  bool retrain = false;              // train runs anew whose settings have changed
};

// A setting with one seed.
struct PlannedRun {
  size_t setting = 0;  // index
  std::string seed{};
  std::string name{};  // "SETTING/SEED"
  std::filesystem::path folder{};
  std::vector<std::string> set{};  // all --set of its training
  RunConfig config{};              // with which it is trained in full
  // Its data as they are now, if it has been trained before; vocabularies and tokenizer models that
  // the config names.
  std::optional<DataRecord> data{};
  std::vector<std::filesystem::path> text{};
};

struct SweepPlan {
  SweepRequest request;
  std::filesystem::path folder;
  std::string config_hash;  // of the text of the config
  std::vector<SweepSetting> settings;
  std::vector<PlannedRun> runs{};  // setting by setting
  int64_t jobs = 1;
  std::optional<HalvingConfig> halving{};
  bool ensemble = false;
  std::optional<SelfTrainingConfig> self_training{};

  // Runs of a setting.
  std::vector<const PlannedRun*> runs_of(size_t setting) const;
  // The arguments of heed that train a run up to this number of updates, or in full.
  std::vector<std::string> arguments(const PlannedRun& run, std::optional<int64_t> updates,
                                     bool overwrite) const;
  // `heed sweep …`, for messages.
  std::string command() const;
};

// Reads the config and checks the config of each run. Throws Error(kUsage) that lists every mistake,
// with the place of the setting.
SweepPlan plan_sweep(const SweepRequest& request);

// Throws Error(kUsage) if the config is not the one that was planned.
void check_unchanged(const SweepPlan& plan);

}  // namespace heed
