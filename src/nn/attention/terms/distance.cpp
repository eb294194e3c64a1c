// distance: -α |i - j| is added to the scores (Im and Cho 2017, equation 5); α fixed or learned.
#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/stages.h"

namespace heed {

namespace {

struct DistanceConfig final : TermConfig {
  double alpha = 1.5;
  bool learned = false;
  void fields(Fields& f) const override {
    f.field("alpha", alpha, kWeights, "α; its initial value if it is learned");
    f.field("learned", learned, "learn α");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
  }
  std::shared_ptr<Term> build(const StageDims& dims) const override;
};

class Distance final : public Term {
 public:
  explicit Distance(const DistanceConfig& config) : alpha_(config.alpha) {
    if (config.learned) gain_ = add_parameter("gain", {1}, Init::all(config.alpha));
  }
  Tensor add_to(const Tensor& scores, const At& at) override {
    const Tensor away = distances(at).abs().unsqueeze(1).to(scores.scalar_type());  // [R,1,T,S]
    return scores - (gain_.defined() ? gain_ * away : alpha_ * away);
  }

 private:
  double alpha_;
  Tensor gain_;  // α [1], if it is learned
};

std::shared_ptr<Term> DistanceConfig::build(const StageDims&) const {
  return std::make_shared<Distance>(*this);
}

}  // namespace

namespace kinds {
Kind<TermConfig> distance() {
  return kind<DistanceConfig, TermConfig>(
      "distance", "adds a distance penalty -α|i - j|, α fixed or learned (Im and Cho 2017)");
}
}  // namespace kinds

}  // namespace heed
