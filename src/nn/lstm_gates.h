// The element-wise operations of an LSTM cell and their gradient, in one pass over memory each. Own
// code because separate operations take as long as the matrix product before them at the batch
// sizes of training; a test compares it with the plain operations.
#pragma once

#include <utility>

#include "nn/tensor.h"

namespace heed {

// gates [R,4W] before the non-linearities (i, f, g, o), cell [R,W] → hidden, cell. Float on the
// CPU; others go through plain operations.
std::pair<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell);
// The same by plain operations.
std::pair<Tensor, Tensor> lstm_gates_plain(const Tensor& gates, const Tensor& cell);

}  // namespace heed
