// Scores of the test sets at the end of a training.
#pragma once

#include "train/metrics_file.h"
#include "train/train_job.h"

namespace heed {

// Scores the test sets that have no scores or no texts yet, by the best checkpoint. Before the scores of a set
// are recorded, its translations and references are written to the folder of the run
// (test_text_files), except for a language model. Throws Error(kDiverged) if the model gives NaN.
void score_tests(const TrainJob& job, const Progress& progress, MetricsFile& metrics);

}  // namespace heed
