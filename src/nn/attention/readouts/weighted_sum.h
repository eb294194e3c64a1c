// The context as the weighted sum of values, c = Σ_s a_s v_s; heads concatenated and projected
// (Vaswani et al. 2017, section 3.2.2). Base class of other read-outs.
#pragma once

#include "nn/attention/readouts/weighted_sum_config.h"
#include "nn/attention/stages.h"
#include "nn/linear.h"

namespace heed {

class WeightedSum : public ReadOut {
 public:
  WeightedSum(const WeightedSumConfig& config, const StageDims& dims);
  Tensor prepare_values(const Tensor& x, const Tensor& positions) override;
  Tensor read(const Tensor& weights, const Tensor& values, const At& at) override;
  Tensor combine(const Tensor& heads, const At& at) override;

 private:
  int64_t heads_, value_heads_;
  Linear value_, output_;
  std::shared_ptr<HeadCombination> combination_;
};

}  // namespace heed
