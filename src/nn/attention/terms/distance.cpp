// distance: -α |i - j| is added to the scores (Im and Cho 2017, equation 5); α fixed or learned.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/distance_config.h"

namespace heed {

namespace {

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

}  // namespace

std::shared_ptr<Term> builders::distance(const TermConfig& config, const StageDims&) {
  return std::make_shared<Distance>(settings_as<DistanceConfig>(config));
}

}  // namespace heed
