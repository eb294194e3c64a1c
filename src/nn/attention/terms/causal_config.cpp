#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct CausalConfig final : TermConfig {
  void fields(Fields&) override {}
  bool hides_unread() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
};

void CausalConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems, "wait_k");
  if (dims.place == Place::kDecoderSelf)
    problems.add("", "a decoder has no positions after the query: leave it out");
}

}  // namespace

namespace kinds {
Kind<TermConfig> causal() {
  return kind<CausalConfig, TermConfig>(
      "causal",
      "causal mask: no positions after the query's own, for a unidirectional encoder "
      "(Elbayad 2020)");
}
}  // namespace kinds

}  // namespace heed
