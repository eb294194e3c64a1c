// Index of training text: everything is read and tokenized once, to clean it and to count the
// lengths.
#pragma once

#include "data/cleaning.h"
#include "data/encoded_text.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"

namespace heed {

struct CorpusIndex {
  PairIndex pairs;
  EncodedText ids;  // empty with more than most_ids, with annotations or with copying
  CorpusReport report;
};

// Ids of a small corpus stay in memory, because training workers leave no core that could tokenize
// beside them: the Transformer of configs/multi30k-transformer.yaml trains 1.06 times as fast.
inline constexpr size_t kMostIds = size_t{1} << 24;  // at most 128 MiB

// Input of an index. threads: used for tokenization. most_ids: maximum number of ids in memory.
// Neither changes `pairs` or `report`.
struct Indexing {
  const TrainingText& text;
  const PairEncoder& encoder;
  const Cleaning& cleaning;
  int threads = 1;
  size_t most_ids = kMostIds;
};

// Maximum number of pieces that are taken from a line.
LengthLimits length_limits(const Cleaning& cleaning);

// Throws Error(kData) if a pair has a fault whose key (data.empty, data.malformed, data.too_long)
// is `error`, if annotations do not fit their pair, or if all pairs are left out.
CorpusIndex index_text(const Indexing& all);

}  // namespace heed
