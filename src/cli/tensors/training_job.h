// What `heed train` trains, from its config: reads all data, writes nothing.
#pragma once

#include <memory>
#include <optional>

#include "cli/tensors/phase_batches.h"
#include "cli/tensors/run_config.h"
#include "data/training_text.h"
#include "distributed/launch.h"
#include "train/run.h"

namespace heed {

// This process, and all that train together.
struct TrainingProcess {
  Launch launch{};
  std::shared_ptr<Reducer> all = std::make_shared<OneProcess>();
};

// What the codecs are learned from.
struct TrainingSources {
  std::shared_ptr<DataCache> cache{};
  std::shared_ptr<TrainingText> text{}, all_text{};  // of the first phase, of all phases
  std::optional<InitialModel> initial{};
};

// plan: the checkpoint to resume from, where there is one. The first process looks for mistakes in
// the data of a new run. Throws Error: kUsage, kModel, kIo, kData.
TrainingSources find_sources(const RunConfig& config, const std::optional<ResumePlan>& plan,
                             const std::shared_ptr<DataCache>& cache,
                             const TrainingProcess& process);

// The codecs that a resumed run was begun with, or those of the model that it starts from, else new
// ones.
Codecs make_codecs(const RunConfig& config, const TrainingSources& sources,
                   const std::optional<ResumePlan>& plan);

// What is trained on.
struct TrainingData {
  TrainingSources sources{};
  Codecs codecs{};
  std::vector<PhaseBatches> batches{};
};

// Indexes the training text, or maps the index of the cache. Throws Error: kUsage where the memory of
// this machine is too small for the model, kData, kIo.
TrainingData read_data(const RunConfig& config, TrainingSources sources, Codecs codecs);

// Everything but the record of the data and the command that resumes it.
TrainJob make_job(const RunConfig& config, const RunDirectory& folder, TrainingData data,
                  const TrainingProcess& process);

}  // namespace heed
