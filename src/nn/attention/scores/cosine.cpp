// cosine: β cos(q, k), β = softplus(b) >= 0 learned, one a head (Graves et al. 2014, equations 5
// and 6, where the controller gives β). The cosine with a vector of zeros is 0.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/scores/projected.h"
#include "nn/attention/unit.h"

namespace heed {

namespace {

class CosineScorer final : public ProjectedScorer {
 public:
  CosineScorer(const ProjectedConfig& config, const StageDims& dims)
      : ProjectedScorer(config, dims) {
    constexpr double kFirst = 5;  // a cosine is at most 1, and softmax of that is nearly even
    gain_ = add_parameter("gain", {dims.heads}, Init::all(kFirst));
  }
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override {
    return unit(ProjectedScorer::prepare_queries(x, positions));
  }
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    return unit(ProjectedScorer::prepare_keys(x, positions));
  }
  Tensor score(const At& at) override {
    const Tensor beta = torch::softplus(gain_).view({heads_, 1, 1});
    return beta * head_products(at.queries, at.keys);  // [R,H,T,S]
  }

 private:
  Tensor gain_;  // b [H]
};

}  // namespace

std::shared_ptr<Scorer> builders::cosine(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<CosineScorer>(settings_as<ProjectedConfig>(config), dims);
}

}  // namespace heed
