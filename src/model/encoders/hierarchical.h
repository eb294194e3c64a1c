// A hierarchical encoder of documents (Yang et al. 2016, section 2.2): a word encoder runs over
// each sentence, its states h_t are pooled into one vector s, and a sentence encoder runs over
// these.
//   pool: attention   u_t = tanh(W h_t + b),  α = softmax(uᵀ u_w),  s = Σ α_t h_t    equations 5 to 7
//   pool: mean        s = the mean of h_t
//   pool: position    s = Σ l_t ⊙ h_t of t from 1 to J, feature k from 1 to d,
//                     l_tk = (1 - t/J) - (k/d) (1 - 2 t/J)   (Sukhbaatar et al. 2015, section 4.1)
//   gives: sentences  the decoder attends to the outputs of the sentence encoder
//   gives: words      the decoder attends to the word states; the sentence states are for
//                     `terms: [chunks]`
//   last: encoder     the final state is that of the sentence encoder
//   last: attention   the final state is v = Σ α_i h_i over the sentences, with attention as over
//                     the words and u_s: the document vector of equations 8 to 10
// `text.SIDE.marker` separates the sentences.
#pragma once

#include "model/encoder.h"
#include "nn/needs.h"

namespace heed {

// `pool:` of the words of a sentence, and `last:` of the sentences of a document.
struct SentencePool : KindSettings {
  enum class How { kAttention, kMean, kPosition, kEncoder };
  explicit SentencePool(How how) : how(how) {}
  void fields(Fields&) const override {}
  virtual int64_t hidden_width() const { return 0; }
  How how;
};

struct HierarchicalEncoderConfig final : EncoderConfig, Needing {
  enum class Gives { kSentences, kWords };
  std::shared_ptr<EncoderConfig> word_encoder, sentence_encoder;
  std::shared_ptr<SentencePool> pool, last;
  Gives gives = Gives::kSentences;
  HierarchicalEncoderConfig();
  void fields(Fields& f) const override;
  void add_needs(Needs& needs) const override { needs.marker = true; }
  bool can_recompute() const override {
    return word_encoder->can_recompute() || sentence_encoder->can_recompute();
  }
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
