// The log-probabilities of target tokens under a softmax over a vocabulary, for losses that go on
// from there, in one function with its gradient.
// Own code for the reason of vocabulary_loss.h, which forms its gradient sooner because nothing
// comes after it: the distributions of a batch are the largest thing in training. Autograd would
// hold them four times over; here they exist once, and once more on the way back.
#pragma once

#include "nn/tensor.h"

namespace heed {

struct TargetLogSoftmax {
  Tensor log_probs;      // [N,1] of the targets; carries the gradient
  Tensor log_norm;       // [N,1] log Σ_v of exp of the scores; carries the gradient
  Tensor probabilities;  // [N,V] of everything; no gradient
};

// Of the scores hidden·weightᵀ + bias. hidden [N,W], weight [V,W], bias [V] or undefined, targets
// [N] int64 below V.
TargetLogSoftmax target_log_softmax(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                    const Tensor& targets);

}  // namespace heed
