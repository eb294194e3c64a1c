// Batches, and how the sentences of one are divided into shards, one for each training worker, in
// one process or several: the same way whenever the same batch comes.
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

// What one training worker computes of a batch.
struct Shard {
  std::vector<Example> examples;
  // The number of each in the batch; of an update counted over all its batches.
  std::vector<int64_t> rows;
};

// What one process knows of a batch: its own examples, and sums over those of all.
struct Batch {
  std::vector<Shard> shards;  // one a worker; fewer where sentences are few
  int64_t sentences = 0;      // of all processes
  int64_t tokens = 0;         // target tokens of all processes, with kEnd
  int64_t number = 0;         // since the beginning of training, from 0
  int64_t epoch = 0;
};

// At most `count` shards of similar cost, as the numbers of their sentences; none is empty but of
// an empty batch. A shard has sentences of similar cost, which saves padding. costs: source and
// target tokens of each sentence, with kEnd.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs, int64_t count);
// The shards of one process.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs,
                                         const Division& division);

// The own examples of a batch, by their rows.
std::vector<Example> examples_of(const Batch& batch);

// Target tokens with kEnd, source tokens with theirs.
int64_t target_tokens(const std::vector<Example>& examples);
int64_t source_tokens(const std::vector<Example>& examples);

}  // namespace heed
