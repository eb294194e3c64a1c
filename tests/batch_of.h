// A batch of sentences that are all known, as a stream would give it.
#pragma once

#include "data/batch.h"

namespace heed {

inline Batch batch_of(const std::vector<Example>& examples, const Division& division = {}) {
  std::vector<int64_t> costs;
  for (const Example& example : examples)
    costs.push_back(source_tokens({example}) + target_tokens({example}));
  Batch batch;
  batch.sentences = std::ssize(examples);
  batch.tokens = target_tokens(examples);
  for (std::vector<int64_t>& rows : divide(costs, division)) {
    Shard& shard = batch.shards.emplace_back();
    for (const int64_t row : rows) shard.examples.push_back(examples[static_cast<size_t>(row)]);
    shard.rows = std::move(rows);
  }
  return batch;
}

}  // namespace heed
