// Settings of the term gaussian (gaussian.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct GaussianConfig final : TermConfig {
  void check(const StageDims& dims, Problems& problems) const override {
    check_order(*this, dims, problems);
  }
  void fields(Fields&) override {}
  bool sees_unread() const override { return true; }
};

}  // namespace

namespace kinds {
Kind<TermConfig> gaussian() {
  return kind<GaussianConfig, TermConfig>("gaussian",
                                          "adds a Gaussian bias -(j - P)² / 2σ² with predicted "
                                          "center and width (Yang 2018, localness)");
}
}  // namespace kinds

}  // namespace heed
