// Attention that the engines of inference/ support: softmax of the scores, the weighted sum of the
// values, and heads that are concatenated.
#pragma once

#include <memory>
#include <optional>

#include "nn/attention/readouts/weighted_sum_config.h"
#include "nn/attention/staged_config.h"

namespace heed {

struct PlainAttention {
  const StagedConfig& staged;
  const ScorerConfig& score;
  std::shared_ptr<const WeightedSumConfig> read;
};

// nullopt if the attention has other stages, or an additional loss.
std::optional<PlainAttention> plain_attention(const AttentionConfig& attention);

// The same for any score, terms and read-out; nullptr in place of nullopt.
const StagedConfig* softmax_attention(const AttentionConfig& attention);

}  // namespace heed
