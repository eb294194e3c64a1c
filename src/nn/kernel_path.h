// Selects functions of kernels/kernels.h in place of libtorch's for operations in nn/.
#pragma once

#include "nn/tensor.h"

namespace heed {

// True for float32 on a CPU, unless HEED_PLAIN is set (base/fast_paths.h).
bool takes_kernels(const Tensor& x);

}  // namespace heed
