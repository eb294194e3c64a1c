// Batches, and their division into shards, one for each training worker, in one process or several.
// The same batch is always divided in the same way.
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

// Part of a batch that one training worker computes.
struct Shard {
  std::vector<Example> examples;
  // Row of each example in the batch; in an update, rows are counted over all its batches.
  std::vector<int64_t> rows;
};

// Part of a batch that one process holds: its own examples, and sums over the examples of all
// processes.
struct Batch {
  std::vector<Shard> shards;  // one for each worker; fewer for few sentences
  int64_t sentences = 0;      // of all processes
  int64_t tokens = 0;         // target tokens of all processes, with kEnd
  int64_t number = 0;         // since the beginning of training, from 0
  int64_t epoch = 0;
};

// Divides sentences into at most `count` shards of similar total cost; returns the numbers of the
// sentences of each shard. Only an empty batch has an empty shard. Sentences of a shard have
// similar cost, which saves padding. costs: source and target tokens of each sentence, with kEnd.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs, int64_t count);
// Shards of one process.
std::vector<std::vector<int64_t>> divide(const std::vector<int64_t>& costs,
                                         const Division& division);

// Examples of this process in the order of their rows.
std::vector<Example> examples_of(const Batch& batch);

// Number of target tokens with kEnd, and of source tokens with kEnd.
int64_t target_tokens(const std::vector<Example>& examples);
int64_t source_tokens(const std::vector<Example>& examples);

}  // namespace heed
