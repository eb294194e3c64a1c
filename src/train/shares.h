// How an update's sentences are divided among workers: the same way whenever the same batch comes.
#pragma once

#include <cstdint>
#include <vector>

#include "data/example.h"

namespace heed {

struct Share {
  std::vector<Example> examples;
  std::vector<int64_t> rows;  // the number of each in the update, by which Pass keys its draws
};

// At most `count` shares of similar numbers of tokens, none empty, none of the examples lost; each
// holds examples that lie side by side when they are sorted by length, so that dividing takes
// padding away. first_row: the number of the first example in the update.
std::vector<Share> divide(const std::vector<Example>& examples, int64_t count, int64_t first_row);

}  // namespace heed
