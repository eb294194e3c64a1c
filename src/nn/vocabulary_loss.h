// Softmax over a vocabulary with cross-entropy, in one function with its gradient.
// Own code because the distributions of a batch, several tensors of N·V numbers, are the largest
// tensors in training: here they exist for a slice of the tokens at a time, and the gradient is
// computed in the same pass.
#pragma once

#include "nn/tensor.h"

namespace heed {

struct VocabularyLoss {
  Tensor loss;  // [] Σ over tokens of (1-ε)·(-log p(target)) + ε·mean over v of (-log p(v));
                // carries the gradient
  Tensor negative_log_probability;  // [] double, Σ -log p(target)
  Tensor correct;                   // [] int64, tokens whose target is the most probable
};

// hidden [N,W], weight [V,W], bias [V] or undefined, targets [N] int64; smoothing ε in [0,1)
// (Szegedy et al. 2016).
VocabularyLoss vocabulary_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                               const Tensor& targets, double smoothing);

}  // namespace heed
