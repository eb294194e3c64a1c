// Teacher forcing on an evaluation set: for validation by loss, and for the tests of a model
// without translations.
#pragma once

#include <cstdint>

#include "data/evaluation_set.h"
#include "network/network_model.h"
#include "train/progress.h"

namespace heed {

// Sums over all target tokens. workers: threads; the result does not depend on them. Throws
// Interrupted (parts.h) between two batches if a signal has arrived.
TokenSums teacher_forced(const NetworkModel& model, const EvaluationSet& set, int64_t workers);

}  // namespace heed
