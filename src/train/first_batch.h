// The first batch of a training, for --dry-run.
#pragma once

#include <string>

#include "train/train_job.h"

namespace heed {

// Describes the first sentences of the batch as numbers and as decoded text. Reads from the stream.
std::string describe_first_batch(const TrainJob& job);

}  // namespace heed
