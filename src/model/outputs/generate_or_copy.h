// What outputs that generate a token or copy it have in common: two masses, that of generating and
// that of copying what stands at a position, and
//   p(y) = (e^G P_vocab(y) + Σ_{i: x_i = y} e^C_i) / (e^G + Σ_i e^C_i)
// with the softmax P_vocab over the vocabulary. All of it is in log space.
#pragma once

#include "model/outputs/copying.h"
#include "model/outputs/vocabulary_scores.h"

namespace heed {

class GenerateOrCopy : public VocabularyScores {
 public:
  using VocabularyScores::VocabularyScores;

  Tensor log_probs(const Step& step, const StateView& state) final;
  // Without smoothing it forms the targets' share of the mixture alone: that of all words, with its
  // gradient, takes nearly as long as the rest of a recurrent model.
  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView& state) final;

 protected:
  // C: of each position; -inf where nothing is copied.  [R,T,S]
  virtual Tensor copying(const Step& step, const StateView& state) = 0;
  // G; undefined: that of the vocabulary's own scores, log Σ_v of their exp.  [R,T,1]
  virtual Tensor generating(const Step&) { return {}; }

  KeptCopies copies_{keeps_};
};

}  // namespace heed
