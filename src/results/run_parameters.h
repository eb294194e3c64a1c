// The number of parameters of a run's model, without libtorch.
#pragma once

#include <cstdint>

#include "results/run_list.h"

namespace heed {

// Read from the header of the model's tensors, as `heed inspect` does. Throws Error(kModel) if the
// run has no model that can be read.
int64_t parameters_of(const RunSummary& run);

}  // namespace heed
