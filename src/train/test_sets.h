// Scores of the test sets at the end of a training.
#pragma once

#include "train/metrics_file.h"
#include "train/train_job.h"

namespace heed {

// Scores the test sets by the best checkpoint, except those that are scored already. Throws
// Error(kDiverged) if the model gives NaN, although it was sound when it was saved.
void score_tests(const TrainJob& job, const Progress& progress, MetricsFile& metrics);

}  // namespace heed
