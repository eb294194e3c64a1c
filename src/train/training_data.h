// The data of a run, from its files to the job of the training.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/training_text.h"
#include "run/phase_batches.h"
#include "run/run_spec.h"
#include "run/run_state.h"
#include "train/processes.h"
#include "train/train_job.h"

namespace heed {

// The training text, opened and counted.
struct RunText {
  std::shared_ptr<DataCache> cache{};
  std::shared_ptr<const TrainingText> first{}, all{};  // of the first phase, of all phases
};

// Throws Error: kIo, kData.
RunText open_text(const RunSpec& spec, std::shared_ptr<DataCache> cache);

// The codecs of the checkpoint if there is a plan, or of the initial model, else newly learned ones.
Codecs make_codecs(const RunSpec& spec, const RunText& text, const ResumePlan* plan,
                   const InitialModel* initial);

// Indexes the training text, or maps the index of the cache. Warns about the data. Throws Error:
// kUsage if the memory of this machine is too small for the model, kData, kIo.
std::vector<PhaseBatches> read_batches(const RunSpec& spec, const RunText& text,
                                       const Codecs& codecs);

// The job without the initial model and the record of the data. Reads the validation and test sets.
TrainJob make_job(const RunSpec& spec, const RunText& text, Codecs codecs,
                  const std::vector<PhaseBatches>& batches, const TrainingProcess& process);

}  // namespace heed
