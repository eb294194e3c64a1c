#include "nn/attention/terms/wait_k_config.h"

#include <algorithm>
#include <cmath>

#include "config/kinds_in.h"
#include "config/sizes.h"

namespace heed {

void WaitKConfig::fields(Fields& f) {
  f.field("k", k, kLengths,
          "number of source tokens that are read before the first target token; then one for each "
          "target token");
  f.field("catch_up", catch_up, {0, 1, false, true},
          "catch-up frequency c: ⌊c t⌋ fewer source tokens are read before target token t; for "
          "targets that are 1 / (1 - c) times as long as their sources");
}

void WaitKConfig::check(const StageDims& dims, Problems& problems) const {
  if (dims.place != Place::kCross)
    return problems.add("",
                        "wait_k restricts the attention over a source; in the self_attention of an "
                        "encoder use causal");
  check_order(*this, dims, problems);
}

int64_t WaitKConfig::tokens_read(int64_t t) const {
  return k + t - 1 - static_cast<int64_t>(std::floor(catch_up * static_cast<double>(t)));
}

std::vector<WaitKConfig> policies_in(const Visited& settings) {
  std::vector<WaitKConfig> policies;
  visit_kinds(settings, [&policies](const std::string&, const Settings& kind) {
    const auto* found = dynamic_cast<const WaitKConfig*>(&kind);
    if (found != nullptr && std::ranges::count(policies, *found) == 0) policies.push_back(*found);
  });
  return policies;
}

namespace kinds {
Kind<TermConfig> wait_k() {
  return kind<WaitKConfig, TermConfig>(
      "wait_k",
      "wait-k policy of simultaneous translation: target token t sees k + t - 1 source "
      "tokens (STACL, Ma 2019)");
}
}  // namespace kinds

}  // namespace heed
