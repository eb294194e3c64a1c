// `type: linear`: attention without a matrix of queries by keys, so that time and memory grow with
// the length and not with its square; a decoder's past is two running sums, O(1) a step.
//   elu         φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, equation 7)
//   performer   φ(x) = exp(w_m·x' - |x'|²/2) / √M, x' = x / D^(1/4), with random orthogonal w that
//               are not learned but drawn, by default anew from time to time (Choromanski et al.
//               2021, equation 5 and section 4.2: FAVOR+). The greatest exponent, of a query among
//               its features and of each feature among the keys so far, is taken off before exp, so
//               that long vectors give no sum of zeros; sums that are kept are scaled when it grows
// where c_i = Σ_j φ(q_i)·φ(k_j) v_j / Σ_j φ(q_i)·φ(k_j);
//   efficient   c_i = softmax(q_i) Σ_j softmax_j(k_j) v_jᵀ, over the features of a query and over
//               the places of each feature of the keys (Shen et al. 2019, section 3.2)
//   linformer   keys and values projected from S places to a few, then softmax (Wang et al. 2020,
//               equation 7); not over a decoder's past, which grows
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
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims& dims) const override {
    return heads.value_or(dims.block > 0 ? kBlockHeads : 1);
  }
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override;
};

}  // namespace heed
