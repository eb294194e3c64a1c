// relative: q_i·(k_j + r^K_clip(j-i)) / √D (Shaw et al. 2018, equation 4); the vectors r^K are the
// same for all heads. The default read-out is that of the same name, Σ_j a_ij (v_j +
// r^V_clip(j-i)).
#include <cmath>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/relative_positions.h"
#include "nn/attention/scores/projected.h"
#include "nn/attention/scores/relative_config.h"

namespace heed {

namespace {

class RelativeScorer final : public ProjectedScorer {
 public:
  RelativeScorer(const ProjectedConfig& config, const StageDims& dims, int64_t clip)
      : ProjectedScorer(config, dims), clip_(clip) {
    table_ = add_parameter("table", {2 * clip + 1, config.width_of_heads(dims) / dims.heads},
                           Init::embedding());
  }
  Tensor score(const At& at) override {
    const double root = std::sqrt(static_cast<double>(at.queries.size(3)));
    const Tensor queries = at.queries / root;
    const Tensor by_distance = torch::matmul(queries, table_.t());  // [R,H,T,2k+1]
    const Tensor rows = relative_rows(at, clip_).unsqueeze(1);      // [R,1,T,S]
    return head_products(queries, at.keys) +
           by_distance.gather(3, rows.expand({-1, heads_, -1, -1}));  // [R,H,T,S]
  }

 private:
  int64_t clip_;
  Tensor table_;  // r^K [2k+1,D]
};

}  // namespace

std::shared_ptr<Scorer> builders::relative(const ScorerConfig& config, const StageDims& dims) {
  const auto& relative = settings_as<RelativeConfig>(config);
  return std::make_shared<RelativeScorer>(relative, dims, relative.farthest);
}

}  // namespace heed
