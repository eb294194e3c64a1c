// relative: z_i = Σ_j a_ij (v_j + r^V_clip(j-i)) (Shaw et al. 2018, equation 3); the vectors r^V
// are the same for all heads.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/readouts/weighted_sum.h"
#include "nn/attention/relative_positions.h"

namespace heed {

namespace {

class RelativeSum final : public WeightedSum {
 public:
  RelativeSum(const WeightedSumConfig& config, const StageDims& dims, int64_t clip)
      : WeightedSum(config, dims), clip_(clip) {
    table_ = add_parameter("table", {2 * clip + 1, config.context_width(dims) / dims.heads},
                           Init::embedding());
  }
  Tensor read(const Tensor& weights, const Tensor& values, const At& at) override {
    const Tensor rows = relative_rows(at, clip_).unsqueeze(1).expand_as(weights);  // [R,H,T,S]
    const Tensor by_distance =
        weights.new_zeros({weights.size(0), weights.size(1), weights.size(2), table_.size(0)})
            .scatter_add(3, rows, weights);  // [R,H,T,2k+1]
    return WeightedSum::read(weights, values, at) + torch::matmul(by_distance, table_);
  }

 private:
  int64_t clip_;
  Tensor table_;  // r^V [2k+1,V]
};

}  // namespace

std::shared_ptr<ReadOut> builders::relative_sum(const ReadOutConfig& config,
                                                const StageDims& dims) {
  const auto& settings = settings_as<WeightedSumConfig>(config);
  return std::make_shared<RelativeSum>(settings, dims,
                                       settings.clip().value_or(dims.clip.value_or(16)));
}

}  // namespace heed
