// distance_bias: a learned number d_(i-j) is added to the scores, the same beyond a distance
// (Parikh et al. 2016, section 3.4, intra-sentence attention). Each head has its own.
#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/relative_positions.h"
#include "nn/attention/stages.h"

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

struct DistanceBiasConfig final : TermConfig {
  int64_t beyond = 10;
  void fields(Fields& f) const override {
    f.field("beyond", beyond, kLengths, "distance from which on all share one bias");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
  }
  std::shared_ptr<Term> build(const StageDims& dims) const override {
    return std::make_shared<DistanceBias>(dims, beyond);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> distance_bias() {
  return kind<DistanceBiasConfig, TermConfig>(
      "distance_bias", "adds a learned bias for each distance (Parikh 2016)");
}
}  // namespace kinds

}  // namespace heed
