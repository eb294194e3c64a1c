// Every attention mechanism there is, by the name it has in a config.
#include "nn/attention/none.h"
#include "nn/attention/normalizers/softmax.h"
#include "nn/attention/readouts/weighted_sum.h"
#include "nn/attention/scores/additive.h"
#include "nn/attention/scores/dot.h"
#include "nn/attention/scores/general.h"
#include "nn/attention/staged.h"

namespace heed {

Registry<AttentionConfig>& attentions() {
  static Registry<AttentionConfig> list = {
      kind<StagedConfig, AttentionConfig>("staged", "score × terms × normalizer × read-out"),
      kind<NoAttentionConfig, AttentionConfig>("none", "no attention at all"),
  };
  return list;
}

Registry<ScorerConfig>& scorers() {
  static Registry<ScorerConfig> list = {
      kind<DotConfig, ScorerConfig>("dot", "q·k (Luong 2015)"),
      kind<ScaledDotConfig, ScorerConfig>("scaled_dot", "q·k / √D (Vaswani 2017)"),
      kind<GeneralConfig, ScorerConfig>("general", "qᵀ W k (Luong 2015)"),
      kind<ConcatConfig, ScorerConfig>("concat", "vᵀ tanh(W [q; k]) (Luong 2015)"),
      kind<AdditiveConfig, ScorerConfig>("additive", "vᵀ tanh(W q + U k + b) (Bahdanau 2015)"),
  };
  return list;
}

Registry<TermConfig>& terms() {
  static Registry<TermConfig> list;
  return list;
}

Registry<NormalizerConfig>& normalizers() {
  static Registry<NormalizerConfig> list = {
      kind<SoftmaxConfig, NormalizerConfig>("softmax", "softmax over the keys"),
  };
  return list;
}

Registry<ReadOutConfig>& readouts() {
  static Registry<ReadOutConfig> list = {
      kind<WeightedSumConfig, ReadOutConfig>("weighted_sum", "Σ a v; heads side by side"),
  };
  return list;
}

}  // namespace heed
