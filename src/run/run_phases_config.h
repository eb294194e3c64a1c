// The phases of a config (train/phase_config.h). Each is read as a complete config, so that every
// check of a config also applies to its phases.
#pragma once

#include <string>
#include <vector>

#include "config/tree.h"
#include "run/run_config.h"

namespace heed {

// Reads the phases of a config whose tree is `tree`. Adds their problems to those of the config,
// with paths such as "train.phases[1].train.clip". Without problems, `config` gets its phases, and
// its train.phases become the changes of each phase in the form in which configs are stored.
void read_phases(const Node& tree, const std::string& file, RunConfig& config,
                 std::vector<Problem>& problems);

// Describes the changes of each phase after the first, one line each.
std::vector<std::string> describe_phases(const RunConfig& config);

}  // namespace heed
