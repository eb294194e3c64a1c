// Checkpoints: model, optimizer and progress, written whole or not at all.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "model/saved_model.h"
#include "run/checkpoint_files.h"
#include "run/run_directory.h"
#include "train/lora.h"
#include "train/optimizer.h"
#include "train/parameter_average.h"
#include "train/parts.h"
#include "train/train_config.h"

namespace heed {

class RunCheckpoints final : public CheckpointStore {
 public:
  // Contents of a checkpoint.
  struct Contents {
    SavedModelConfig model;
    const Codecs& codecs;
    const Seq2Seq& network;
    const Optimizer& optimizer;
    const DataRecord& data;
    ParameterAverage* average = nullptr;  // saved as the model, if there is one
    const Lora* lora = nullptr;
  };
  // whole: updates of the intact checkpoints; others are deleted after the next save.
  RunCheckpoints(const RunDirectory& folder, const TrainConfig& config, Contents contents,
                 std::set<int64_t> whole)
      : folder_(folder),
        config_(config),
        contents_(std::move(contents)),
        whole_(std::move(whole)) {}

  // Error(kIo) leaves everything as it was. Nothing is deleted before the new checkpoint is whole.
  void save(const Progress& progress) override;
  const std::set<int64_t>& whole() const { return whole_; }

 private:
  bool is_saved(const Progress& progress) const;
  void fill(const std::filesystem::path& folder, const Progress& progress);
  void move_best(const Progress& progress) const;
  // Updates of the best checkpoints to keep, best first.
  std::vector<int64_t> best_whole(const Validations& validations) const;
  void drop_old(const Progress& progress);

  const RunDirectory& folder_;
  const TrainConfig& config_;
  Contents contents_;
  std::set<int64_t> whole_;
};

struct Checkpoint {
  LoadedModel model;
  NamedTensors optimizer;
  NamedTensors parameters;  // ParameterAverage::state(); empty if the model is no average
  Progress progress;
};
// Every file's hash is checked first. Throws Error(kModel).
Checkpoint load_checkpoint(const std::filesystem::path& folder, torch::Device device);

}  // namespace heed
