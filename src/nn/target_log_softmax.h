// Log-probabilities of target tokens under a softmax over a vocabulary, for losses that are
// computed from them, in one function with its gradient. Own code because the distributions of a
// batch are the largest tensors in training: autograd would store them four times. Here they exist
// once, and once more in the backward pass. vocabulary_loss.h computes its gradient in the forward
// pass instead, since no operation follows it.
#pragma once

#include "nn/tensor.h"

namespace heed {

struct TargetLogSoftmax {
  Tensor log_probs;      // [N,1] of the targets; carries the gradient
  Tensor log_norm;       // [N,1] log Σ_v of exp of the scores; carries the gradient
  Tensor probabilities;  // [N,V] of the whole vocabulary; no gradient
};

// Computes the scores hidden·weightᵀ + bias and their softmax. hidden [N,W], weight [V,W], bias [V]
// or undefined, targets [N] int64 below V.
TargetLogSoftmax target_log_softmax(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                    const Tensor& targets);

}  // namespace heed
