// The ensemble of the runs of a setting, one for each seed.
#pragma once

#include <map>
#include <string>

#include "sweep/sweep_plan.h"

namespace heed {

// Translates the validation sets and the test sets with all runs of the setting together. Returns
// the scores: validation.METRIC, test.SET.METRIC, with the metrics of a training. The texts and
// scores are kept in FOLDER/SETTING/ensemble, and read again while models, texts and settings are the
// same. Throws Interrupted after a signal, and Error(kFailure) if a translation fails.
std::map<std::string, double> ensemble_scores(const SweepPlan& plan, size_t setting);

}  // namespace heed
