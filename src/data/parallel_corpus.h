// The training pairs: indexed once, encoded when they are asked for.
//
// Indexing reads and tokenizes everything once, to clean it and to know the lengths; in memory stay
// the index (pair_index.h) and the open files, and the ids of a small corpus (encoded_text.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/cleaning.h"
#include "data/encoded_text.h"
#include "data/example.h"
#include "data/pair_encoder.h"
#include "data/pair_index.h"
#include "data/training_text.h"
#include "text/subword_regularization.h"

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
  // Segments these sides at random in sampled(). Once, before anyone reads examples.
  void regularize(const SubwordRegularization& how, const std::vector<size_t>& sides);
  bool is_sampled() const { return sampling_.has_value(); }

  const PairIndex& index() const { return index_; }
  const CorpusReport& report() const { return report_; }

  // From any thread. Throws Error(kData) if the file has been changed since it was indexed; the
  // ids in memory are those of the file as it was indexed.
  Example example(PairId pair) const;
  // The same with the segmentation that `key` draws; with the best one where that is longer than the
  // maximum length, unless lines are truncated, where annotations cannot be mapped to it, or where
  // it cannot be written by a model that copies.
  Example sampled(PairId pair, uint64_t key) const;

 private:
  struct Row;
  struct Sampling {
    SubwordRegularization how;
    std::vector<size_t> sides;
  };
  struct Text {
    std::vector<std::string> lines;
    Annotations annotations;
  };
  void index_part(const TextPart& part, int threads);
  void take(const Row& row, CorpusCount& count, int64_t line);
  Text read(PairId pair) const;
  Example encode(PairId pair, const Text& text) const;
  Tokens tokenize(PairId pair, const Text& text) const;
  Example finished(PairId pair, Example example) const;
  PairEncoder sampling_encoder(uint64_t key) const;
  // Whether each side has at most the maximum length.
  bool is_short(const Tokens& tokens) const;

  std::shared_ptr<const TrainingText> text_;
  PairEncoder encoder_;
  Cleaning cleaning_;
  PairIndex index_;
  EncodedText encoded_;
  std::optional<Sampling> sampling_;
  CorpusReport report_;
};

}  // namespace heed
