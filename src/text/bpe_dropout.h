// BPE-dropout (Provilkov et al. 2020, algorithm 1): segments a word by byte-pair encoding, where
// each possible merge is dropped from a step with probability p. p = 0 gives the segmentation of
// the tokenizer, p near 1 gives the characters.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace heed {

// Priority of the merge that makes this token (a higher one comes earlier); nullopt if no merge
// makes it.
using MergePriority = std::function<std::optional<float>(const std::string& token)>;

// Segments the word with these characters. Takes quadratic time.
std::vector<std::string> merge_with_dropout(std::vector<std::string> characters,
                                            const MergePriority& priority, double p,
                                            RandomStream& draws);

}  // namespace heed
