// The phases of a config (train/phase_config.h), each read as the whole config that it makes, so that
// every check of a config is one of its phases too.
#pragma once

#include <string>
#include <vector>

#include "cli/tensors/run_config.h"
#include "config/tree.h"

namespace heed {

// Reads the phases of a config whose tree is `tree`. Adds their problems to those of the config, with
// their own paths: "train.phases[1].train.clip". Where there are none, `config` gets its phases, and
// its train.phases become what each of them changes, in the form in which configs are stored.
void read_phases(const Node& tree, const std::string& file, RunConfig& config,
                 std::vector<Problem>& problems);

// What the config is with the settings of its first phase, and of each later one.
std::vector<std::string> describe_phases(const RunConfig& config);

// The training files of all phases, each once.
std::vector<CorpusFiles> training_files(const RunConfig& config);
// The same without edges and alignments, for what reads the text alone; those of the first phase as
// often as data.train has them.
std::vector<CorpusFiles> training_texts(const RunConfig& config);

}  // namespace heed
