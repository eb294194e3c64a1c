// What a model gives to the targets of an evaluation set: what validation by loss, and the tests of
// a model that translates nothing, have in common.
#pragma once

#include <cstdint>

#include "data/evaluation_set.h"
#include "train/progress.h"
#include "translate/text_model.h"

namespace heed {

// Of all its target tokens. workers: threads; the result does not depend on them. Throws Interrupted
// (parts.h) between two batches if a signal has arrived.
TokenSums teacher_forced(const TextModel& model, const EvaluationSet& set, int64_t workers);

}  // namespace heed
