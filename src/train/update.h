// The batches of one update of the parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/batch.h"

namespace heed {

struct Update {
  int64_t number = 0;                // from 1; keys every random draw
  std::optional<double> baseline{};  // Progress::baseline
  std::vector<Batch> batches{};      // rows are counted through all of them
  int64_t sentences = 0;             // of all processes
  int64_t tokens = 0;                // target tokens of all processes, with kEnd

  void add(Batch batch) {
    for (Shard& shard : batch.shards) {
      for (int64_t& row : shard.rows) row += sentences;
    }
    sentences += batch.sentences;
    tokens += batch.tokens;
    batches.push_back(std::move(batch));
  }
};

}  // namespace heed
