// directional: a query attends to the positions before it (forward) or after it (backward), without
// its own (Shen et al. 2018, DiSAN, equations 16 and 17).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/directional_config.h"

namespace heed {

namespace {

class Directional final : public Term {
 public:
  explicit Directional(bool forward) : forward_(forward) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor away = distances(at).unsqueeze(1);  // [R,1,T,S]
    return mask & (forward_ ? away < 0 : away > 0);
  }

 private:
  bool forward_;
};

}  // namespace

std::shared_ptr<Term> builders::directional(const TermConfig& config, const StageDims&) {
  const auto direction = settings_as<DirectionalConfig>(config).direction;
  return std::make_shared<Directional>(direction == DirectionalConfig::Direction::kForward);
}

}  // namespace heed
