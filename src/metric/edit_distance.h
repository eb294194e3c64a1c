// Levenshtein distance between words given as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

// The least number of words to insert, delete or replace that make one of the other. Throws
// Error(kData) for sentences of hundreds of thousands of words.
size_t edit_distance(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

}  // namespace heed
