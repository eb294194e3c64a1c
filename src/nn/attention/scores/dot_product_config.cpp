#include "nn/attention/scores/dot_product_config.h"

#include <cmath>

#include "config/sizes.h"

namespace heed {

namespace {

struct NoNormConfig final : QueryKeyNormConfig {
  void fields(Fields&) override {}
};
struct RmsNormConfig final : QueryKeyNormConfig {
  void fields(Fields&) override {}
};

}  // namespace

void L2NormConfig::fields(Fields& f) {
  f.field("gain", gain, kAboveZero,
          "initial value of the learned scale g; Henry 2020: log2(L² - L) for sentences of L "
          "tokens, which is 10 for 32 of them");
}

const Registry<QueryKeyNormConfig>& query_key_norms() {
  static const Registry<QueryKeyNormConfig> list = {
      kind<NoNormConfig, QueryKeyNormConfig>("none", "no normalization"),
      kind<L2NormConfig, QueryKeyNormConfig>(
          "l2", "g q·k of vectors of length 1 with a learned scale g, without √D (Henry 2020)"),
      kind<RmsNormConfig, QueryKeyNormConfig>(
          "rms", "RMSNorm of queries and of keys, each with gains that its heads share (Qwen3)"),
  };
  return list;
}

void DotProductConfig::fields(Fields& f) {
  ProjectedConfig::fields(f);
  f.one_of("query_key_norm", query_key_norm, query_key_norms(),
           "normalization of the queries and keys of each head");
}

double DotProductConfig::divisor(const StageDims& dims) const {
  if (!is_scaled() || query_key_norm->type == "l2") return 1;
  return std::sqrt(static_cast<double>(width_of_heads(dims) / dims.heads));
}

}  // namespace heed
