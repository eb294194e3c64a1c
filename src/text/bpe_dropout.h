// BPE-dropout (Provilkov et al. 2020, algorithm 1): the segmentation of a word by byte-pair encoding
// where each merge that is possible is left out of a step with a probability p. With p = 0 it is
// that of the tokenizer, with p near 1 the characters.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace heed {

// The priority of the merge that makes this token, higher is earlier; none: there is no such merge.
using MergePriority = std::function<std::optional<float>(const std::string& token)>;

// The tokens of the word whose characters these are. Takes quadratic time.
std::vector<std::string> merge_with_dropout(std::vector<std::string> characters,
                                            const MergePriority& priority, double p,
                                            RandomStream& draws);

}  // namespace heed
