// Progress of a run towards its limits, and the time left.
#pragma once

#include <optional>

#include "run/progress.h"
#include "train/train_config.h"

namespace heed {

// Seconds until the first of its limits, at the mean speed so far; nullopt while nothing is known.
// examples_per_epoch: 0 if unknown.
std::optional<double> time_left(const TrainConfig& config, const Progress& progress,
                                int64_t examples_per_epoch);

// Progress towards the nearest of its limits, in [0, 1]; nullopt: no limit is known.
std::optional<double> fraction_done(const TrainConfig& config, const Progress& progress,
                                    int64_t examples_per_epoch);

}  // namespace heed
