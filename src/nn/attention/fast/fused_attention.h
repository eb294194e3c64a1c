// Softmax attention of a training pass in one function with its gradient: softmax(scale · Q Kᵀ) V
// for all queries of a batch. Own code because autograd would pass over several tensors [R,H,T,S]
// and copy queries, keys and values into the order of the heads; here, of these, only the weights
// are stored, and padded keys take no time. The kernel is
// attend_sentence() (kernels/kernels.h). A test compares it with the stages it replaces.
#pragma once

#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

struct FusedAttention {
  double scale = 1;     // of the scores
  double dropout = 0;   // probability, of the weights
  bool causal = false;  // query t reads the keys 0 … t
};

// For tensors with takes_kernels(): queries [R,H,T,D], keys [R,H,S,D], values [R,H,S,V], as
// split_heads() gives them; readable [R,S] bool, undefined: all. Rows without readable keys give 0.
// -> [R,H,T,V], of which join_heads() is a view
Tensor fused_attention(const Tensor& queries, const Tensor& keys, const Tensor& values,
                       const Tensor& readable, const FusedAttention& settings, const Pass& pass);

// Softmax attention of a training pass on a GPU by libtorch's scaled_dot_product_attention
// (FlashAttention, Dao et al. 2022; memory-efficient attention, Rabe and Staats 2021), which keeps
// no weights [R,H,T,S]. For float32 on a GPU without dropout of the weights, whose draws would be others than those of a
// pass; unless HEED_PLAIN is set (base/fast_paths.h). Not for products in bfloat16, for which
// libtorch takes cuDNN, which prepares each new shape for longer than it saves. dropout: the
// probability.
bool takes_sdpa(const Tensor& queries, double dropout);

// queries [R,H,T,D], keys [R,H,S,D], values [R,H,S,V]; readable [R,S] bool, undefined: all. Rows
// without readable keys give 0. causal: query t reads the keys 0 … t.  -> [R,H,T,V]
Tensor sdpa(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& readable,
            double scale, bool causal);

}  // namespace heed
