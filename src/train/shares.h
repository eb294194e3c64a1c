// How an update's sentences are divided among workers: the same way whenever the same batch comes.
#pragma once

#include <cstdint>
#include <vector>

#include "data/example.h"

namespace heed {

// At most `count` shares of similar numbers of tokens, none empty, none of the examples lost; each
// holds examples that lie side by side when they are sorted by length, so that dividing takes
// padding away.
std::vector<std::vector<Example>> divide(const std::vector<Example>& examples, int64_t count);

}  // namespace heed
