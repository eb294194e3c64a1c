// Settings of validation that have no effect, because nothing is validated or translated. Marks in
// fields() say which (Fields::affects).
#pragma once

#include <string>
#include <vector>

#include "run/run_config.h"

namespace heed {

// A warning of each reason, with the keys that are not as usual: those of train.validate, keep.best
// and plateau schedules without data.valid; those of translations where none is made.
std::vector<std::string> idle_validation(const RunConfig& config);

}  // namespace heed
