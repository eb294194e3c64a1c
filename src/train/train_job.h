// All that a training needs, built: its data as batches, its codecs and its settings.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "data/batch_stream.h"
#include "network/network_model.h"
#include "run/data_record.h"
#include "run/prepared_data.h"
#include "run/run_directory.h"
#include "train/initial_model.h"
#include "train/processes.h"
#include "train/train_config.h"
#include "train/train_phase.h"
#include "train/translated_text.h"

namespace heed {

// All processes of a run have the same job except for `processes` and the device. The first process
// writes the folder, which the others can read.
struct TrainJob {
  RunDirectory folder;
  uint64_t seed = 1;
  torch::Device device = torch::kCPU;
  TrainConfig train{};       // workers and precision resolved
  SavedModelConfig model{};  // search: for translations in validation, samples and test sets
  Codecs codecs{};           // of a resumed run: those of the checkpoint that it starts from
  std::shared_ptr<BatchStream> batches{};
  std::vector<TrainPhase> phases{};  // phases after the first
  int64_t examples_per_epoch = 0;    // used to estimate the remaining time; 0: unknown
  std::optional<EvaluationSet> valid{};
  std::vector<EvaluationSet> tests{};     // scored once, at the end, with the best checkpoint
  std::vector<std::string> notes{};       // about the data, logged at the start
  InitConfig init{};                      // of a new run
  std::optional<InitialModel> initial{};  // model named by init
  DataRecord data{};                      // stored in each checkpoint
  bool restarts_epoch = false;            // that of the checkpoint, because the data has changed
  std::string resume_command{};           // printed after an interruption
  std::shared_ptr<Reducer> processes = std::make_shared<OneProcess>();

  // Settings and batches of a phase, counted from 0.
  const LearningConfig& learning_of(size_t phase) const;
  BatchStream& batches_of(size_t phase) const;
  Parallelism parallelism() const;
  NetworkModel model_of(std::shared_ptr<Seq2Seq> network) const;
};

// The job without the initial model and the record of the data.
TrainJob make_job(const RunSpec& spec, PreparedData data, const TrainingProcess& process);

}  // namespace heed
