// relative: z_i = Σ_j a_ij (v_j + r^V_clip(j-i)) (Shaw et al. 2018, equation 3); the vectors r^V
// are the same for all heads.
#include "nn/torch.h"

#include "config/sizes.h"
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

struct RelativeSumConfig final : WeightedSumConfig {
  std::optional<int64_t> farthest;
  bool encodes_positions() const override { return true; }
  bool is_weighted_sum() const override { return false; }
  void fields(Fields& f) const override {
    WeightedSumConfig::fields(f);
    f.field("clip", farthest, kLengths,
            "maximum relative distance of r^V; larger distances are clipped; default: that of "
            "score: relative, with other scores 16");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    check_one_sequence(*this, dims, problems);
  }
  std::optional<int64_t> clip() const override { return farthest; }
  bool needs_all_keys() const override { return true; }
  std::shared_ptr<ReadOut> build(const StageDims& dims) const override {
    return std::make_shared<RelativeSum>(*this, dims, farthest.value_or(dims.clip.value_or(16)));
  }
};

}  // namespace

namespace kinds {
Kind<ReadOutConfig> relative_sum() {
  return kind<RelativeSumConfig, ReadOutConfig>(
      "relative", "Σ a (v + r^V), r a relative position embedding (Shaw 2018)");
}
}  // namespace kinds

}  // namespace heed
