// Minimum Bayes risk decoding (Kumar and Byrne 2004; with samples Eikema and Aziz 2020): of the
// translations of a line the one with the highest mean score against all of them as references,
// each as often as it was found.
#pragma once

#include <cstddef>

#include "metric/metric.h"

namespace heed {

// Index of it, of equal ones the first. Candidates are not empty. The mean is over sentence scores
// of the metric; where lower scores are better, the lowest wins.
size_t least_risk(const Metric& metric, const Lines& candidates);

}  // namespace heed
