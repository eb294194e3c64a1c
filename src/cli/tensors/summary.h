// What a network consists of, in figures.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/nn/module.h>

namespace heed {

// The parameters of each module down to `depth` levels, by name; parameters that several modules
// share count once, under the first. "all" has their sum.
std::map<std::string, int64_t> parameter_counts(const torch::nn::Module& network, int64_t depth);

// A line for each of them, the sum last.
std::string parameter_table(const torch::nn::Module& network, int64_t depth = 2);

}  // namespace heed
