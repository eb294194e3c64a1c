// relative: q_i·(k_j + r^K_clip(j-i)) / √D (Shaw et al. 2018, equation 4); the vectors r^K are the
// same for all heads. The default read-out is that of the same name, Σ_j a_ij (v_j +
// r^V_clip(j-i)).
#include <cmath>

#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/relative_positions.h"
#include "nn/attention/scores/projected.h"
#include "nn/gradient_sum.h"

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
    return step_product_transposed(queries, at.keys) +
           by_distance.gather(3, rows.expand({-1, heads_, -1, -1}));  // [R,H,T,S]
  }

 private:
  int64_t clip_;
  Tensor table_;  // r^K [2k+1,D]
};

struct RelativeConfig final : ProjectedConfig {
  int64_t farthest = 16;
  void fields(Fields& f) const override {
    ProjectedConfig::fields(f);
    f.field("clip", farthest, kLengths,
            "maximum relative distance of r^K, and in the read-out of r^V; larger distances are "
            "clipped");
  }
  bool encodes_positions() const override { return true; }
  const char* read() const override { return "relative"; }
  std::optional<int64_t> clip() const override { return farthest; }
  bool needs_all_keys() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override {
    ProjectedConfig::check(dims, problems);
    check_one_sequence(*this, dims, problems);
  }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<RelativeScorer>(*this, dims, farthest);
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> relative() {
  return kind<RelativeConfig, ScorerConfig>(
      "relative",
      "q·(k + r^K) / √D, r a relative position embedding (Shaw 2018); with positions: none");
}
}  // namespace kinds

}  // namespace heed
