// Checkpoints: model, optimizer and progress, written whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "model/saved_model.h"
#include "train/optimizer.h"
#include "train/parts.h"
#include "train/run_directory.h"
#include "train/train_config.h"

namespace heed {

class RunCheckpoints final : public CheckpointStore {
 public:
  // What a checkpoint is made of.
  struct Contents {
    SavedModelConfig model;
    const Codecs& codecs;
    const Seq2Seq& network;
    const Optimizer& optimizer;
  };
  RunCheckpoints(const RunDirectory& folder, const TrainConfig& config, Contents contents)
      : folder_(folder), config_(config), contents_(std::move(contents)) {}

  // Error(kIo) leaves everything as it was.
  void save(const Progress& progress) override;

 private:
  void fill(const std::filesystem::path& folder, const Progress& progress);
  void move_best(const Progress& progress) const;
  void drop_old(const Progress& progress) const;

  const RunDirectory& folder_;
  const TrainConfig& config_;
  Contents contents_;
};

struct Checkpoint {
  LoadedModel model;
  NamedTensors optimizer;
  Progress progress;
};
// Every file's hash is checked first. Throws Error(kModel).
Checkpoint load_checkpoint(const std::filesystem::path& folder, torch::Device device);

// Where a checkpoint has the state of the optimizer, for messages as well.
std::filesystem::path optimizer_file(const std::filesystem::path& checkpoint);

}  // namespace heed
