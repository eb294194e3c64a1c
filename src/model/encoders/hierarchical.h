// A document from its words to its sentences (Yang et al. 2016, section 2.2): each sentence is read
// by itself, its states h_t are pooled into one, and an encoder reads these.
//   pool: attention   u_t = tanh(W h_t + b),  α = softmax(uᵀ u_w),  s = Σ α_t h_t
//   pool: mean        s = the mean of h_t
//   gives: sentences  what the sentence encoder makes of s is what is read
//   gives: words      the states of the words are, beside the states of their sentences, for
//                     `terms: [chunks]`
// Sentences are told by `text.SIDE.marker`. The last state is that of the sentence encoder.
#pragma once

#include "model/encoder.h"

namespace heed {

struct HierarchicalEncoderConfig final : EncoderConfig {
  enum class Pool { kAttention, kMean };
  enum class Gives { kSentences, kWords };
  std::shared_ptr<EncoderConfig> word_encoder, sentence_encoder;
  Pool pool = Pool::kAttention;
  int64_t hidden = 128;
  Gives gives = Gives::kSentences;
  HierarchicalEncoderConfig();
  void fields(Fields& f) override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
