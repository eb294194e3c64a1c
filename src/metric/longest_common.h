// Longest common subsequences of words given as numbers. Error(kData) for sentences of hundreds of
// thousands of words (for positions: tens of thousands).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

size_t longest_common_length(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

// The positions in `a` of one of the longest, ascending. Where several exist, walking back from the
// ends drops a word of `b` only if that keeps strictly more than dropping one of `a`: as
// rouge-score does, whose scores depend on it.
std::vector<size_t> longest_common_positions(const std::vector<uint32_t>& a,
                                             const std::vector<uint32_t>& b);

}  // namespace heed
