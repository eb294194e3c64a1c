// The index of training text: everything is read and tokenized once, to clean it and to know the
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
  EncodedText ids;  // of a small corpus
  CorpusReport report;
};

inline constexpr size_t kMostIds = size_t{1} << 24;  // at most 128 MiB

// What an index is made of. threads: for tokenizing; most_ids: kept in memory. Both change nothing
// in the result.
struct Indexing {
  const TrainingText& text;
  const PairEncoder& encoder;
  const Cleaning& cleaning;
  int threads = 1;
  size_t most_ids = kMostIds;
};

// The most pieces that are taken of a line.
LengthLimits length_limits(const Cleaning& cleaning);

// Throws Error(kData) if a policy says so, or if no pair is left.
CorpusIndex index_text(const Indexing& all);

}  // namespace heed
