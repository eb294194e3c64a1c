#include "inference/plain_attention.h"

namespace heed {

std::optional<PlainAttention> plain_attention(const AttentionConfig& attention) {
  const auto* staged = dynamic_cast<const StagedConfig*>(&attention);
  if (staged == nullptr || !staged->terms.empty() || staged->disagreement ||
      !staged->normalizer->is_softmax() || staged->head_combination->type != "concat")
    return std::nullopt;
  // Other read-outs are weighted sums too, and change what they have summed.
  const auto read = std::dynamic_pointer_cast<WeightedSumConfig>(staged->read_or_default());
  if (!read || read->type != "weighted_sum") return std::nullopt;
  return PlainAttention{*staged, *staged->score, read};
}

}  // namespace heed
