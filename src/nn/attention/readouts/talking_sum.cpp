// talking_heads: Σ_s a_s v_s with the weights W P_w, a linear map over the heads (Shazeer et al.
// 2020, section 4). The weights of the attention are those of the normalizer: the mapped ones may be
// negative and need not sum to 1.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/readouts/weighted_sum.h"

namespace heed {

namespace {

class TalkingSum final : public WeightedSum {
 public:
  TalkingSum(const WeightedSumConfig& config, const StageDims& dims) : WeightedSum(config, dims) {
    after_ = add_parameter("after", {dims.heads, dims.heads}, Init::matrix());
  }
  Tensor read(const Tensor& weights, const Tensor& values, const At& at) override {
    return WeightedSum::read(torch::einsum("rhts,hg->rgts", {weights, after_}), values, at);
  }

 private:
  Tensor after_;  // P_w [H,H]
};

}  // namespace

std::shared_ptr<ReadOut> builders::talking_sum(const ReadOutConfig& config, const StageDims& dims) {
  return std::make_shared<TalkingSum>(settings_as<WeightedSumConfig>(config), dims);
}

}  // namespace heed
