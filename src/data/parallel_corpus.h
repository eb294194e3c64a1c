// The training pairs: indexed once, encoded when they are asked for.
//
// Indexing reads and tokenizes everything once, to clean it and to know the lengths; in memory stay
// the index (pair_index.h) and the open files.
#pragma once

#include <memory>
#include <vector>

#include "data/cleaning.h"
#include "data/example.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"

namespace heed {

class ParallelCorpus {
 public:
  // threads: for tokenizing; they change nothing in the result. Throws Error(kData) if a policy
  // says so, or if no pair is left.
  ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                 const Cleaning& cleaning, int threads = 1);

  // Samples the corpora by `data.temperature` (temperature.h), and adds that to the report. Once,
  // before anyone reads the index.
  void temper(double temperature);

  const PairIndex& index() const { return index_; }
  const CorpusReport& report() const { return report_; }

  // From any thread. Throws Error(kData) if the file has been changed since it was indexed.
  Example example(PairId pair) const;

 private:
  struct Row;
  void index_part(const TextPart& part, int threads);
  void take(const Row& row, CorpusCount& count, int64_t line);
  int64_t kept_length(int64_t length) const;

  std::shared_ptr<const TrainingText> text_;
  PairEncoder encoder_;
  Cleaning cleaning_;
  PairIndex index_;
  CorpusReport report_;
};

}  // namespace heed
