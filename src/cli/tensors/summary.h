// What a network consists of, in figures.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/nn/module.h>

#include "text/text_config.h"

namespace heed {

// The parameters of each module down to `depth` levels, by name; parameters that several modules
// share count once, under the first. "all" has their sum.
std::map<std::string, int64_t> parameter_counts(const torch::nn::Module& network, int64_t depth);

// What the vocabulary of such a tokenizer holds: words, characters or subwords.
const char* unit_of(const TokenizerConfig& config);

// A line for each of them, the sum last.
std::string parameter_table(const torch::nn::Module& network, int64_t depth = 2);

}  // namespace heed
