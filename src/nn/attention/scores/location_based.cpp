// location_based: W q, a score for each position, whatever its key (Luong et al. 2015, equation 8, a =
// softmax(W h_t)). A shorter sentence uses the first scores; positions that W has no row for are not
// read.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/scores/location_based_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class LocationBasedScorer final : public Scorer {
 public:
  LocationBasedScorer(const LocationBasedConfig& config, const StageDims& dims)
      : heads_(dims.heads),
        positions_(config.max_positions),
        query_(*this, "query", dims.query, heads_ * positions_, kNoBias) {}
  Tensor prepare_queries(const Tensor& x, const Tensor&) override {
    return split_heads(query_(x), heads_);  // [R,H,T,P]
  }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override {
    return torch::zeros({x.size(0), heads_, x.size(1), 0}, x.options().requires_grad(false));
  }
  Tensor restrict(const Tensor& mask, const At& at) override {
    return mask & (at.key_positions < positions_).unsqueeze(1).unsqueeze(1);
  }
  Tensor score(const At& at) override {
    const Tensor positions = at.key_positions.clamp_max(positions_ - 1).unsqueeze(1).unsqueeze(1);
    return at.queries.gather(3, positions.expand({-1, heads_, at.queries.size(2), -1}));
  }

 private:
  int64_t heads_, positions_;
  Linear query_;  // W [H·P,W]
};

}  // namespace

std::shared_ptr<Scorer> builders::location_based(const ScorerConfig& config,
                                                 const StageDims& dims) {
  return std::make_shared<LocationBasedScorer>(settings_as<LocationBasedConfig>(config), dims);
}

}  // namespace heed
