// Projections of scores z on the simplex with exact zeros (Peters et al. 2019, equation 10):
//   p = argmax_p p·z + H_α(p),  H_α(p) = (1 - Σ_j p_j^α) / (α (α - 1))   (Tsallis entropies)
// sparsemax: α = 2, the Euclidean projection (Martins and Astudillo 2016, equation 2, algorithm 1;
// Jacobian equation 14); entmax15: α = 1.5, between softmax and sparsemax (Peters et al. 2019,
// algorithm 2; Jacobian proposition 2). Both are p = [x - τ]₊^k with τ so that Σ p = 1, where k = 1,
// x = z; or k = 2, x = z / 2.
#pragma once

#include "nn/simplex_projection_config.h"
#include "nn/tensor.h"

namespace heed {

double alpha_of(SimplexProjection projection);

// Over the last dimension. mask: of the shape of the scores, false where the result is 0; undefined:
// none is. All 0 in a row without a true mask.
Tensor project_on_simplex(const Tensor& scores, SimplexProjection projection,
                          const Tensor& mask = {});

}  // namespace heed
