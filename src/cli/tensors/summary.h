// What a network consists of, in figures.
#pragma once

#include <string>

#include <torch/nn/module.h>

namespace heed {

// A line for each module down to `depth` levels, with its parameters; parameters that several
// modules share count once, under the first.
std::string parameter_table(const torch::nn::Module& network, int64_t depth = 2);

}  // namespace heed
