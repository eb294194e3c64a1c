// Settings of `type: episodic` (episodic.cpp).
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct EpisodicConfig final : AttentionConfig {
  enum class Features { kFour, kNine };
  enum class Gate { kSoftmax, kSigmoid };
  enum class Episode { kAttentionGru, kGatedGru, kSoftSum };
  enum class Update { kRelu, kGru };
  int64_t passes = 3, hidden = 0;
  Features features = Features::kFour;
  Gate gate = Gate::kSoftmax;
  Episode episode = Episode::kAttentionGru;
  Update update = Update::kRelu;
  bool shared = false;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t hidden_width(const AttentionDims& dims) const { return hidden > 0 ? hidden : dims.query; }
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 1; }
};

}  // namespace heed
