// Matrices drawn from a stream, in double.
#pragma once

#include "base/random.h"
#include "nn/tensor.h"

namespace heed {

// Independent, with mean 0.
Tensor draw_normal(c10::IntArrayRef shape, double deviation, RandomStream& stream);
// Uniform over the matrices with orthonormal rows, or columns if there are more rows: Q of the QR
// decomposition of a normal matrix whose R has a positive diagonal (Mezzadri 2007).
Tensor draw_orthogonal(int64_t rows, int64_t columns, RandomStream& stream);

}  // namespace heed
