// The work of `heed train`, prepared from its config: reads all data, writes nothing.
#pragma once

#include <memory>
#include <optional>

#include "cli/train/tensors/phase_batches.h"
#include "data/training_text.h"
#include "distributed/launch.h"
#include "train/run.h"
#include "train/run_config.h"

namespace heed {

// This process, and the connection to all processes that train together.
struct TrainingProcess {
  Launch launch{};
  std::shared_ptr<Reducer> all = std::make_shared<OneProcess>();
};

// Data from which the codecs are learned.
struct TrainingSources {
  std::shared_ptr<DataCache> cache{};
  std::shared_ptr<TrainingText> text{}, all_text{};  // of the first phase, of all phases
  std::optional<InitialModel> initial{};
};

// Finds the training text. plan: the checkpoint to resume from, if any. The first process checks
// the data of a new run for mistakes. Throws Error: kUsage, kModel, kIo, kData.
TrainingSources find_sources(const RunConfig& config, const std::optional<ResumePlan>& plan,
                             const std::shared_ptr<DataCache>& cache,
                             const TrainingProcess& process);

// The codecs of a resumed run, or of the model that the run starts from, else newly learned ones.
Codecs make_codecs(const RunConfig& config, const TrainingSources& sources,
                   const std::optional<ResumePlan>& plan);

// Data of the training.
struct TrainingData {
  TrainingSources sources{};
  Codecs codecs{};
  std::vector<PhaseBatches> batches{};
};

// Indexes the training text, or maps the index of the cache. Throws Error: kUsage if the memory of
// this machine is too small for the model, kData, kIo.
TrainingData read_data(const RunConfig& config, TrainingSources sources, Codecs codecs);

// Makes the job, except for the record of the data and the command that resumes it.
TrainJob make_job(const RunConfig& config, const RunDirectory& folder, TrainingData data,
                  const TrainingProcess& process);

}  // namespace heed
