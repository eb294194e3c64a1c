// Settings of the term alibi (alibi.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct AlibiConfig final : TermConfig {
  void fields(Fields&) override {}
  bool encodes_positions() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> alibi() {
  return kind<AlibiConfig, TermConfig>(
      "alibi",
      "adds -m|i - j| with a fixed slope m for each head (Press 2022); with positions: none");
}
}  // namespace kinds

}  // namespace heed
