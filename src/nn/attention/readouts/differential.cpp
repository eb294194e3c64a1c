// differential: the heads 2i and 2i+1 are the two softmax maps of head i of a differential
// Transformer (Ye et al. 2025, section 2.1), and their values [v_2i; v_2i+1] are its values of width
// 2V:
//   head_i = (1 - λ_init) RMSNorm((A_2i - λ A_2i+1) [v_2i; v_2i+1])     equations 1 and 3
//   λ = exp(λ_q1·λ_k1) - exp(λ_q2·λ_k2) + λ_init                          equation 2
// So H heads here are H/2 of the paper, with the parameters of softmax attention with H heads. The
// gains [2V] of the norm are shared by the heads, ε = 10^-5, as in the authors' code. The weights of
// the attention are those of the softmax maps.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/readouts/differential_config.h"
#include "nn/attention/readouts/weighted_sum.h"
#include "nn/rms_norm.h"

namespace heed {

namespace {

class Differential final : public WeightedSum {
 public:
  Differential(const DifferentialConfig& config, const StageDims& dims)
      : WeightedSum(config, dims), first_lambda_(config.first_lambda(dims)) {
    const int64_t width = config.context_width(dims) / dims.heads;
    const auto add = [&](const char* name) { return add_parameter(name, {width}, Init::vector()); };
    query_1_ = add("lambda_q1");
    key_1_ = add("lambda_k1");
    query_2_ = add("lambda_q2");
    key_2_ = add("lambda_k2");
    norm_ = register_module("norm", std::make_shared<RmsNorm>(2 * width, 1e-5));
  }

  Tensor read(const Tensor& weights, const Tensor& values, const At& at) override {
    const Tensor lambda = torch::exp((query_1_ * key_1_).sum()) -
                          torch::exp((query_2_ * key_2_).sum()) + first_lambda_;  // []
    const auto maps = weights.unflatten(1, {-1, 2}).unbind(2);  // 2 × [R,H/2,T,S]
    const Tensor difference = (maps[0] - lambda * maps[1]).repeat_interleave(2, 1);  // [R,H,T,S]
    return WeightedSum::read(difference, values, at);
  }

  Tensor combine(const Tensor& heads, const At& at) override {
    const Tensor pairs = heads.unflatten(1, {-1, 2}).transpose(2, 3).flatten(3);  // [R,H/2,T,2V]
    const Tensor normed = (1 - first_lambda_) * (*norm_)(pairs);
    return WeightedSum::combine(normed.unflatten(3, {2, -1}).transpose(2, 3).flatten(1, 2), at);
  }

 private:
  double first_lambda_;                       // λ_init
  Tensor query_1_, key_1_, query_2_, key_2_;  // λ_q1, λ_k1, λ_q2, λ_k2 [V]
  std::shared_ptr<RmsNorm> norm_;
};

}  // namespace

std::shared_ptr<ReadOut> builders::differential(const ReadOutConfig& config,
                                                const StageDims& dims) {
  return std::make_shared<Differential>(settings_as<DifferentialConfig>(config), dims);
}

}  // namespace heed
