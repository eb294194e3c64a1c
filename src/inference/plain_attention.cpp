#include "inference/plain_attention.h"

#include "nn/attention/scores/dot_product_config.h"

namespace heed {

std::optional<PlainAttention> plain_attention(const AttentionConfig& attention) {
  const auto* staged = dynamic_cast<const StagedConfig*>(&attention);
  if (staged == nullptr || !staged->terms.empty() || staged->disagreement ||
      staged->shares_heads() || !staged->normalizer->is_softmax() ||
      staged->head_combination->type != "concat")
    return std::nullopt;
  const auto* dot = dynamic_cast<const DotProductConfig*>(staged->score.get());
  if (dot != nullptr && dot->query_key_norm->type != "none") return std::nullopt;
  // Other read-outs are weighted sums too, and change what they have summed.
  const auto read = std::dynamic_pointer_cast<WeightedSumConfig>(staged->read_or_default());
  if (!read || read->type != "weighted_sum") return std::nullopt;
  return PlainAttention{*staged, *staged->score, read};
}

}  // namespace heed
