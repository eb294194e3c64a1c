#include "inference/plain_attention.h"

#include "nn/attention/scores/dot_product_config.h"

namespace heed {

const StagedConfig* softmax_attention(const AttentionConfig& attention) {
  const auto* staged = dynamic_cast<const StagedConfig*>(&attention);
  const bool is_softmax = staged != nullptr && !staged->disagreement &&
                          staged->normalizer->is_softmax() &&
                          staged->head_combination->type == "concat";
  return is_softmax ? staged : nullptr;
}

std::optional<PlainAttention> plain_attention(const AttentionConfig& attention) {
  const StagedConfig* staged = softmax_attention(attention);
  if (staged == nullptr || !staged->terms.empty() || staged->shares_heads()) return std::nullopt;
  const auto* dot = dynamic_cast<const DotProductConfig*>(staged->score.get());
  if (dot != nullptr && dot->query_key_norm->type != "none") return std::nullopt;
  // Other read-outs are weighted sums too, and change what they have summed.
  const auto read = std::dynamic_pointer_cast<WeightedSumConfig>(staged->read_or_default());
  if (!read || read->type != "weighted_sum") return std::nullopt;
  return PlainAttention{*staged, *staged->score, read};
}

}  // namespace heed
