// Tensors, and the one legend of letters that every shape comment uses.
//
//   R  rows: N·B, the B hypotheses of N sentences; in training B = 1
//   H  heads
//   S  source positions, or keys in an attention
//   T  target positions, or queries in an attention
//   W  width of the model            E  width of embeddings
//   D  width of a key, per head      V  width of a value, or size of a vocabulary
//   L  layers                        N  sentences; in losses tokens without padding
//
// Masks are bool, true = may be read, and are combined by &.
#pragma once

#include <torch/types.h>

namespace heed {

using torch::Tensor;

}  // namespace heed
