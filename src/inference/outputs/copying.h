// Common to outputs that copy: the tokens at the positions of each source (model/outputs/copying.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "inference/outputs/distribution.h"

namespace heed {

// Tokens that can be copied from a source of S positions.
struct CopiedSource {
  // source: its number
  CopiedSource(const Example& sentence, size_t source, int64_t positions, int64_t vocabulary);

  int64_t positions() const { return std::ssize(ids); }  // S
  bool is_end(int64_t position) const { return ids[position] == kEnd; }

  Ids ids;         // [S]
  int64_t tokens;  // V, and those behind it
  // States of the encoder as the output reads them [S,·], where it does.
  AlignedFloats states{};
  PackedMatrix keys{};
};

class CopyingDecoding : public DistributionDecoding {
 public:
  CopyingDecoding(const Kernels& set, int64_t vocabulary)
      : DistributionDecoding(set), vocabulary_(vocabulary) {}
  void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
    sources_.gather(rows, hypotheses);
  }
  void join(const OutputDecoding& more) override {
    sources_.join(dynamic_cast<const CopyingDecoding&>(more).sources_);
  }

 protected:
  // Adds the sources; prepare(source, i) adds to that of sentence i.
  template <class Prepare>
  void add(const EncodedSources& sources, const Prepare& prepare) {
    for (size_t i = 0; i < sources.sentences.size(); ++i) {
      const Example& sentence = *sources.sentences[i];
      const auto source = std::make_shared<CopiedSource>(
          sentence, sources.number, sources.begins[i + 1] - sources.begins[i], vocabulary_);
      prepare(*source, static_cast<int64_t>(i));
      sources_.add(source, sentence, sources.number);
    }
  }
  int64_t vocabulary() const override { return vocabulary_; }
  int64_t most_tokens() const override;
  // Adds the probabilities of the positions to those of their tokens.
  void copy(int64_t row, std::span<const float> of_positions, std::span<float> log_probs) const;

  Sentences<CopiedSource> sources_;

 private:
  int64_t vocabulary_;  // V
};

// Generates or copies a token, by log masses G of generating and C_i of copying position i
// (model/outputs/generate_or_copy.h).
class GenerateOrCopyDecoding : public CopyingDecoding {
 public:
  GenerateOrCopyDecoding(const OutputLayer& layer, const Kernels& set)
      : CopyingDecoding(set, layer.tokens()), layer_(layer) {}

 protected:
  // Writes C [S], -∞ for positions that cannot be copied, and returns G.
  // log_norm: logsumexp of the vocabulary scores
  virtual float masses(int64_t row, const StepVectors& step, float log_norm,
                       std::span<float> copying) = 0;

 private:
  void each_row(const StepVectors& step, int64_t rows, const Visit& visit) final;

  const OutputLayer& layer_;
  OutputLayer::Workspace room_;
  std::vector<float> log_probs_, copying_;
};

}  // namespace heed
