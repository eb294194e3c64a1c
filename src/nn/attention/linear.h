// Linear attention (`type: linear`): no matrix of queries by keys, so that time and memory are linear
// in the length; over a decoder's past, elu, performer and efficient keep running sums, O(1) a step.
//   elu         φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, equation 7)
//   performer   φ(x) = exp(w_m·x' - |x'|²/2) / √M, x' = x / D^(1/4), with orthogonal random features
//               w, not learned, by default redrawn at intervals (Choromanski et al. 2021, equation
//               5 and section 4.2: FAVOR+). The maximum exponent is subtracted before exp: for a
//               query over its features, for keys over the keys so far, feature by feature; running
//               sums are rescaled when it grows
//               (both: c_i = Σ_j φ(q_i)·φ(k_j) v_j / Σ_j φ(q_i)·φ(k_j))
//   efficient   c_i = softmax(q_i) Σ_j softmax_j(k_j) v_jᵀ, over the features of a query and over
//               the positions, for each feature of the keys (Shen et al. 2019, section 3.2)
//   linformer   softmax over keys and values projected from S positions to a fixed number (Wang et
//               al. 2020, equation 7); not over a decoder's past, which grows
#pragma once

#include <optional>

#include "nn/attention/stages.h"

namespace heed {

struct LinearConfig;

// `features:`
struct FeaturesConfig : KindSettings {
  virtual bool needs_whole_sentence() const { return false; }
  virtual std::shared_ptr<Attention> build(const LinearConfig& config,
                                           const AttentionDims& dims) const = 0;
};
const Registry<FeaturesConfig>& feature_maps();

struct LinearConfig final : AttentionConfig {
  std::shared_ptr<FeaturesConfig> features = fresh_kind(feature_maps(), "elu");
  std::optional<int64_t> heads;  // default: 8 inside a Transformer block, else 1
  void fields(Fields& f) const override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims& dims) const override {
    return heads.value_or(dims.block > 0 ? kBlockHeads : 1);
  }
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override;
};

}  // namespace heed
