// Settings of the score general (general.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct GeneralConfig final : ScorerConfig {
  void fields(Fields&) override {}
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> general() {
  return kind<GeneralConfig, ScorerConfig>("general", "qᵀ W k (Luong 2015)");
}
}  // namespace kinds

}  // namespace heed
