// A bounded sample of training text for what learns from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

// At most `size` lines of all that there are, each with the same chance (reservoir sampling,
// Vitter 1985, algorithm R); a function of the text and `key` alone.
std::vector<std::string> draw_sample(const LineSource& lines, int64_t size, uint64_t key);

}  // namespace heed
