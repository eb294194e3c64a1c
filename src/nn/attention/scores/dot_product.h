// Scores q·k and q·k / √D of queries and keys that are projected and, if the config says so,
// normalized (`query_key_norm`):
//   l2    g q·k with q and k of length 1 and a learned number g (Henry et al. 2020, QKNorm)
//   rms   q·k / √D of RMSNorm(q) and RMSNorm(k), each with gains [D] that its heads share (Yang et
//         al. 2025, Qwen3)
#pragma once

#include <memory>

#include "nn/attention/scores/dot_product_config.h"
#include "nn/attention/scores/projected.h"
#include "nn/rms_norm.h"

namespace heed {

class DotProductScorer : public ProjectedScorer {
 public:
  DotProductScorer(const DotProductConfig& config, const StageDims& dims);
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override;
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override;
  Tensor score(const At& at) override;

 private:
  double divisor_;
  Tensor gain_;                                     // g [1]; l2
  std::shared_ptr<RmsNorm> query_norm_, key_norm_;  // rms
};

}  // namespace heed
