// Teacher forcing on an evaluation set: for validation by loss, and for the tests of a model
// without translations.
#pragma once

#include <cstdint>

#include "data/evaluation_set.h"
#include "distributed/together.h"
#include "network/network_model.h"
#include "run/progress.h"

namespace heed {

// Sums over all target tokens; the result does not depend on the number of threads and processes.
// Throws Interrupted between two batches if a signal has arrived.
TokenSums teacher_forced(const NetworkModel& model, const EvaluationSet& set,
                         const Parallelism& parallelism);

}  // namespace heed
