// The training pairs: indexed once, encoded when they are asked for.
//
// Indexing reads and tokenizes everything once, to clean it and to know the lengths; in memory stay
// the index (pair_index.h) and the open files, and the ids of a small corpus (encoded_text.h).
#pragma once

#include <memory>
#include <vector>

#include "data/cleaning.h"
#include "data/encoded_text.h"
#include "data/example.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"

namespace heed {

class ParallelCorpus {
 public:
  static constexpr size_t kMostIds = size_t{1} << 24;  // at most 128 MiB
  // threads: for tokenizing; most_ids: kept in memory. Both change nothing in the result. Throws
  // Error(kData) if a policy says so, or if no pair is left.
  ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                 const Cleaning& cleaning, int threads = 1, size_t most_ids = kMostIds);

  // Samples the corpora by `data.temperature` (temperature.h), and adds that to the report. Once,
  // before anyone reads the index.
  void temper(double temperature);

  const PairIndex& index() const { return index_; }
  const CorpusReport& report() const { return report_; }

  // From any thread. Throws Error(kData) if the file has been changed since it was indexed; the
  // ids in memory are those of the file as it was indexed.
  Example example(PairId pair) const;

 private:
  struct Row;
  void index_part(const TextPart& part, int threads);
  void take(const Row& row, CorpusCount& count, int64_t line);
  Example from_text(PairId pair, const TextPart& part) const;

  std::shared_ptr<const TrainingText> text_;
  PairEncoder encoder_;
  Cleaning cleaning_;
  PairIndex index_;
  EncodedText encoded_;
  CorpusReport report_;
};

}  // namespace heed
