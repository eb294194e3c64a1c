// The number of source tokens that a wait-k policy has read (wait_k.cpp).
#pragma once

#include "nn/attention/terms/wait_k_config.h"
#include "nn/tensor.h"

namespace heed {

// WaitKConfig::tokens_read() before the target tokens at these positions, counted from 0.
Tensor tokens_read(const WaitKConfig& policy, const Tensor& positions);

}  // namespace heed
