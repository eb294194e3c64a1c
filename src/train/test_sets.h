// Scores of the test sets at the end of a training.
#pragma once

#include "train/metrics_file.h"
#include "train/train_job.h"

namespace heed {

// Scores the test sets that have no scores yet, by the best checkpoint. Throws Error(kDiverged) if the
// model gives NaN.
void score_tests(const TrainJob& job, const Progress& progress, MetricsFile& metrics);

}  // namespace heed
