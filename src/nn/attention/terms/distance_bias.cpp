// distance_bias: a learned number d_(i-j) is added to the scores, the same beyond a distance
// (Parikh et al. 2016, section 3.4, intra-sentence attention). Each head has its own.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/relative_positions.h"
#include "nn/attention/terms/distance_bias_config.h"

namespace heed {

namespace {

class DistanceBias final : public Term {
 public:
  DistanceBias(const StageDims& dims, int64_t beyond) : beyond_(beyond) {
    bias_ = add_parameter("bias", {2 * beyond + 1, dims.heads}, Init::all(0));
  }
  Tensor add_to(const Tensor& scores, const At& at) override {
    // Parikh et al. index by i - j, the rows of the table by j - i.
    const Tensor rows = 2 * beyond_ - relative_rows(at, beyond_);         // [R,T,S]
    return scores + torch::embedding(bias_, rows).permute({0, 3, 1, 2});  // [R,H,T,S]
  }

 private:
  int64_t beyond_;
  Tensor bias_;  // d [2·beyond+1,H]
};

}  // namespace

std::shared_ptr<Term> builders::distance_bias(const TermConfig& config, const StageDims& dims) {
  return std::make_shared<DistanceBias>(dims, settings_as<DistanceBiasConfig>(config).beyond);
}

}  // namespace heed
