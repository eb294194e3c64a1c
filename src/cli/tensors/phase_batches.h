// The training data of a run, as batches of each phase.
#pragma once

#include <memory>
#include <vector>

#include "cli/tensors/run_config.h"
#include "data/cached_index.h"
#include "data/epoch_batch_stream.h"

namespace heed {

struct PhaseBatches {
  std::shared_ptr<const ParallelCorpus> corpus;
  std::shared_ptr<BatchStream> stream;
};

// Of the first phase and each later one. Phases of the same data have the same corpus, those with
// batches of the same kind the same stream. text: of the first phase. Throws Error(kData).
std::vector<PhaseBatches> make_batches(const RunConfig& config,
                                       const std::shared_ptr<const TrainingText>& text,
                                       const PairEncoder& encoder, const IndexCache& cache);

}  // namespace heed
