// additive: vᵀ tanh(W q + U k + b) (Bahdanau et al. 2015, appendix A.1.2).
// concat:   vᵀ tanh(W [q; k]) (Luong et al. 2015, equation 8), which is the same without b.
// layer_norm: vᵀ tanh(LN(W q) + LN(U k) + b), each LN with a gain, as in Marian.
// normalize: v becomes g v / |v|, g learned, 1/√D at first (Raffel et al. 2017, equation 16).
#pragma once

#include "nn/attention/scores/additive_config.h"
#include "nn/attention/stages.h"
#include "nn/linear.h"

namespace heed {

class AdditiveScorer : public Scorer {
 public:
  AdditiveScorer(const StageDims& dims, const AdditiveConfig& config, bool bias);
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override;
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override;
  Tensor score(const At& at) override;

 protected:
  // vᵀ tanh(queries + keys) of keys [R,H,1|T,S,D].  [R,H,T,S]
  Tensor compare(const Tensor& queries, const Tensor& keys) const;
  int64_t heads_;

 private:
  Linear query_, key_;
  Tensor query_gain_, key_gain_;  // [H·D]; undefined without layer norm
  Tensor v_;                      // [H·D]
  Tensor gain_;                   // g [H], if v is normalized
};

// queries [R,H,T,D], keys [R,H,S,D], or [R,H,1|T,S,D] of each query, v [H,D] -> [R,H,T,S]
Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& v);

}  // namespace heed
