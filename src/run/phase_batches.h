// The training data of a run, as batches of each phase.
#pragma once

#include <memory>
#include <vector>

#include "data/cached_index.h"
#include "data/epoch_batch_stream.h"
#include "run/run_files.h"

namespace heed {

struct PhaseBatches {
  std::shared_ptr<const ParallelCorpus> corpus;
  std::shared_ptr<BatchStream> stream;
};

// Batches of the first phase and of each later one. Phases with the same data share a corpus;
// phases with the same data and batch settings share a stream. text: of the first phase. Throws
// Error(kData).
std::vector<PhaseBatches> make_batches(const RunConfig& config, const RunFiles& files,
                                       const std::shared_ptr<const TrainingText>& text,
                                       const PairEncoder& encoder, const IndexCache& cache);

}  // namespace heed
