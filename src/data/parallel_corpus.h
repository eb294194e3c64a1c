// Training pairs: indexed once, encoded on request.
//
// Memory holds the index (corpus_index.h), the open files, and the ids of a small corpus.
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
  // index: made from this text with this encoder and cleaning.
  ParallelCorpus(std::shared_ptr<const TrainingText> text, PairEncoder encoder,
                 const Cleaning& cleaning, CorpusIndex index);
  // Indexes the text. Throws as index_text() does.
  ParallelCorpus(const std::shared_ptr<const TrainingText>& text, const PairEncoder& encoder,
                 const Cleaning& cleaning);

  // Samples the corpora by `data.temperature` (temperature.h) and adds this to the report. May be
  // called once, before the index is read.
  void sample_by_temperature(double temperature);
  // Makes sampled() segment these sides at random. May be called once, before examples are read.
  void regularize(const SubwordRegularizationConfig& how, const std::vector<size_t>& sides);
  bool is_sampled() const { return sampling_.has_value(); }

  const PairIndex& index() const { return index_; }
  const CorpusReport& report() const { return report_; }

  // Thread-safe. Throws Error(kData) if the file was changed after it was indexed; ids in memory
  // are those of the indexed file.
  Example example(PairId pair) const;
  // Returns an example with the segmentation that `key` draws. Uses the best segmentation if the
  // drawn one is longer than the maximum length (unless lines are truncated) or cannot be written
  // by a model that copies.
  Example sampled(PairId pair, uint64_t key) const;

 private:
  struct Sampling {
    SubwordRegularizationConfig how;
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
  // True if each side is within the maximum length.
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
