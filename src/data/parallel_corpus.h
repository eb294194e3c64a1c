// Training pairs: indexed once, encoded on request.
//
// Memory holds the index (corpus_index.h), the open files, and the ids of a small corpus.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/augment/augmented_epoch.h"
#include "data/augment/augmenter.h"
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

  // Samples the corpora by `data.temperature` and their shares (temperature.h) and adds this to the report. May be
  // called once, before the index is read.
  void sample_by_temperature(double temperature);
  // Makes sampled() segment these sides at random. May be called once, before examples are read.
  void regularize(const SubwordRegularizationConfig& how, const std::vector<size_t>& sides);
  bool is_sampled() const { return sampling_.has_value(); }
  // Augments the text of epochs. sides: names of the sources and of the target. threads: that measure
  // an epoch. May be called once, before examples are read.
  void augment(const AugmentConfig& how, const std::vector<std::string>& sides, int threads);
  bool is_augmented() const { return augmenter_.has_value(); }

  const PairIndex& index() const { return index_; }
  const CorpusReport& report() const { return report_; }

  // Thread-safe. Throws Error(kData) if the file was changed after it was indexed; ids in memory
  // are those of the indexed file.
  Example example(PairId pair) const;
  // Returns an example with the segmentation that `key` draws. Uses the best segmentation if the
  // drawn one is longer than the maximum length (unless lines are truncated) or cannot be written
  // by a model that copies.
  Example sampled(PairId pair, uint64_t key) const;

  // Augments these pairs of an epoch, for their lengths. A pair stays as it is if it would be longer
  // than the maximum length, or uneven, or could not be written by a model that copies.
  AugmentedEpoch measure(const EpochSeed& at, std::span<const PairId> pairs) const;
  // Returns an example with the augmented text that measure() has found. key: draws a segmentation,
  // if the corpus is sampled.
  Example augmented(PairId pair, const EpochSeed& at, const EpochLengths& lengths,
                    uint64_t key) const;
  // Text of a pair, as it is and augmented.
  PairLines text(PairId pair) const;
  const Augmenter& augmenter() const { return augmenter_.value(); }
  Augmenter::Result augmented_text(PairId pair, const EpochSeed& at) const;

 private:
  struct Sampling {
    SubwordRegularizationConfig how;
    std::vector<size_t> sides;
  };
  // Tokens of the lines, which have these lengths if they are still those that were measured.
  Tokens tokenize(PairId pair, const PairLines& text, const EpochLengths& lengths) const;
  Example encode(const PairLines& text, Tokens tokens) const;
  // The segmentation that `key` draws, or else the best one.
  Example segmented(const PairLines& text, Tokens best, uint64_t key) const;
  Example finished(PairId pair, Example example) const;
  PairEncoder sampling_encoder(uint64_t key) const;
  // True if each side is within the maximum length.
  bool is_short(const Tokens& tokens) const;
  // Lengths of the sides; empty if such a pair is not for training.
  std::vector<int64_t> lengths_of(const PairLines& text) const;

  std::shared_ptr<const TrainingText> text_;
  PairEncoder encoder_;
  Cleaning cleaning_;
  PairIndex index_;
  EncodedText encoded_;
  std::optional<Sampling> sampling_;
  std::optional<Augmenter> augmenter_;
  int threads_ = 1;
  CorpusReport report_;
};

}  // namespace heed
