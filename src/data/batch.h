// Batches, and how the sentences of one are divided among the workers that compute its gradient, in one
// process or several: the same way whenever the same batch comes.
#pragma once

#include <cstdint>
#include <vector>

#include "data/example.h"

namespace heed {

struct Division {
  int64_t workers = 1;    // of each process
  int64_t rank = 0;       // of this process, from 0
  int64_t processes = 1;  // that train together
};

struct Share {
  std::vector<Example> examples;
  std::vector<int64_t>
      rows;  // the number of each in the batch; of an update counted over all its batches
};

// What one process knows of a batch: its own examples, and sums over those of all.
struct Batch {
  std::vector<Share> shares;  // of its workers; fewer where sentences are few
  int64_t sentences = 0;      // of all processes
  int64_t tokens = 0;         // target tokens of all processes, with kEnd
  int64_t number = 0;         // since the beginning of training, from 0
  int64_t epoch = 0;
};

// At most `count` shares, as the numbers of their sentences, of similar costs, none empty but of an empty batch,
// no sentence lost; each holds sentences that lie side by side when they are sorted by cost, so that dividing
// takes padding away. costs: tokens on all sides, with their ends.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs, int64_t count);
// The shares of one process.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs,
                                         const Division& division);

// The own examples of a batch, by their rows.
std::vector<Example> examples_of(const Batch& batch);

// Target tokens with kEnd, source tokens with theirs.
int64_t target_tokens(const std::vector<Example>& examples);
int64_t source_tokens(const std::vector<Example>& examples);

}  // namespace heed
