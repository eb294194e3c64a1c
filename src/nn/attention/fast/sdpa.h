// Softmax attention of a training pass on a GPU by libtorch's scaled_dot_product_attention
// (FlashAttention, Dao et al. 2022; memory-efficient attention, Rabe and Staats 2021), which keeps
// no weights [R,H,T,S].
#pragma once

#include "nn/tensor.h"

namespace heed {

// For float32 on a GPU without dropout of the weights, whose draws would be others than those of a
// pass; unless HEED_PLAIN is set (base/fast_paths.h). Not for products in bfloat16, for which
// libtorch takes cuDNN, which prepares each new shape for longer than it saves. dropout: the
// probability.
bool takes_sdpa(const Tensor& queries, double dropout);

// queries [R,H,T,D], keys [R,H,S,D], values [R,H,S,V]; readable [R,S] bool, undefined: all. Rows
// without readable keys give 0. causal: query t reads the keys 0 … t.  -> [R,H,T,V]
Tensor sdpa(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& readable,
            double scale, bool causal);

}  // namespace heed
