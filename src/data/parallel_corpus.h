// The training pairs: indexed once, encoded when they are asked for.
//
// In memory stay the index (corpus_index.h) and the open files, and the ids of a small corpus.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/corpus_index.h"
#include "data/example.h"
#include "text/subword_regularization.h"

namespace heed {

class ParallelCorpus {
 public:
  // index: of this text by this encoder and cleaning.
  ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                 const Cleaning& cleaning, CorpusIndex index);
  // Indexes the text. Throws what index_text() throws.
  ParallelCorpus(const std::shared_ptr<const TrainingText>& text, const PairEncoder& encoder,
                 const Cleaning& cleaning);

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
  // maximum length, unless lines are truncated, or where it cannot be written by a model that copies.
  Example sampled(PairId pair, uint64_t key) const;

 private:
  struct Sampling {
    SubwordRegularization how;
    std::vector<size_t> sides;
  };
  struct Text {
    std::vector<std::string> lines;
    Annotations annotations;
  };
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
