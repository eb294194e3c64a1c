// Relative position embeddings (Shaw et al. 2018): clip(j - i, -k, k) selects one of 2k+1 rows of a
// table.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

// Rows of the table for each query i and key j.  [R,T,S] in 0 … 2k
inline Tensor relative_rows(const At& at, int64_t k) { return distances(at).clamp(-k, k) + k; }

}  // namespace heed
