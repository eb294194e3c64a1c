// Common to outputs that generate or copy a token: the log masses G of generating and C_i of
// copying position i, and
//   p(y) = (e^G P_vocab(y) + Σ_{i: x_i = y} e^C_i) / (e^G + Σ_i e^C_i)
// with the softmax P_vocab over the vocabulary. Computed in log space.
#pragma once

#include "model/outputs/copying.h"
#include "model/outputs/vocabulary_scores.h"

namespace heed {

class GenerateOrCopy : public VocabularyScores {
 public:
  using VocabularyScores::VocabularyScores;

  Tensor log_probs(const Step& step, const StateView& state) final;
  // Without label smoothing, computes the probabilities of the targets only: those of the whole
  // vocabulary, with their gradient, take nearly as long as the rest of a recurrent model.
  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView& state) final;

 protected:
  // C: of each position; -inf if it cannot be copied.  [R,T,S]
  virtual Tensor copying(const Step& step, const StateView& state) = 0;
  // G; undefined: logsumexp of the vocabulary scores.  [R,T,1]
  virtual Tensor generating(const Step&) { return {}; }

  KeptCopies copies_{layout_};
};

}  // namespace heed
