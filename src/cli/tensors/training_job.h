// What `heed train` trains, from its config: reads all data, writes nothing.
#pragma once

#include <memory>
#include <optional>

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
  std::shared_ptr<TrainingText> text{}, all_text{};  // of the first phase, of all phases
  std::optional<InitialModel> initial{};
};

// plan: the checkpoint to resume from, where there is one. Throws Error: kUsage, kModel, kIo, kData.
TrainingSources find_sources(const RunConfig& config, const std::optional<ResumePlan>& plan);

// The codecs that a resumed run was begun with, or those of the model that it starts from, else new
// ones.
Codecs make_codecs(const RunConfig& config, const TrainingSources& sources,
                   const std::optional<ResumePlan>& plan);

// Everything but the record of the data and the command that resumes it.
TrainJob make_job(const RunConfig& config, const RunDirectory& folder, TrainingSources sources,
                  Codecs codecs, const TrainingProcess& process);

}  // namespace heed
