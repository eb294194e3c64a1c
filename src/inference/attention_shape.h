// Attention in a layer of the Transformers that TransformerEngine supports: multi-head attention, and
// what replaces the self-attention of a decoder.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "inference/vocabulary_shape.h"
#include "model/parameter_names_spec.h"
#include "nn/attention/attention_config.h"

namespace heed {

// A term that adds a number for each head and distance to the scores.
struct DistanceTermShape {
  int64_t term = 0;                        // its number in `terms`
  int64_t buckets = 0;                     // bucket_bias; 0: alibi
  bool both = false;                       // keys behind the query have buckets of their own
  std::vector<int64_t> first_distances{};  // of the buckets 1 … n - 1 in one direction
  bool operator==(const DistanceTermShape&) const = default;
};

enum class QueryKeyNorm { kNone, kL2, kRms };

// Softmax of dot products. Heads of queries share heads of keys and values.
struct MultiHeadShape {
  int64_t heads = 0, key_value_heads = 0;  // H, G
  int64_t width = 0, value_width = 0;      // D of queries and keys, V of values of a head
  double scale = 1;                        // of the scores
  QueryKeyNorm norm = QueryKeyNorm::kNone;
  std::vector<double> rotation{};                   // frequencies [D/2] of rotary; empty: none
  std::optional<int64_t> key_clip{}, value_clip{};  // k of relative keys and values
  std::vector<DistanceTermShape> terms{};

  // Numbers of a row of all heads.
  int64_t queries() const { return heads * width; }
  int64_t keys() const { return key_value_heads * width; }
  int64_t values() const { return key_value_heads * value_width; }
  int64_t contexts() const { return heads * value_width; }
  // True if the scores or the values depend on distances.
  bool has_distances() const { return key_clip || value_clip || !terms.empty(); }
  bool operator==(const MultiHeadShape&) const = default;
};

struct SsruShape {
  bool operator==(const SsruShape&) const = default;
};
struct AverageShape {
  int64_t feed_forward = 0;
  bool operator==(const AverageShape&) const = default;
};
using SelfAttentionShape = std::variant<MultiHeadShape, SsruShape, AverageShape>;

// nullopt if TransformerEngine does not support the attention at this place.
std::optional<MultiHeadShape> multi_head_shape(const AttentionConfig& attention,
                                               const AttentionDims& dims);
std::optional<SelfAttentionShape> self_attention_shape(const AttentionConfig& attention,
                                                       const AttentionDims& dims);

// Scaled dot-product attention as in Vaswani et al. 2017, over a model of this width.
MultiHeadShape standard_attention(int64_t width, int64_t heads);

// Keys and values that an attention keeps for each token: none of ssru and average.
struct MemoryWidths {
  int64_t keys = 0, values = 0;
};
MemoryWidths memory_widths(const SelfAttentionShape& shape);

// Parameters of attention with queries and keys of these widths.
void add_parameters(ParameterShapes& shapes, const names::AttentionNames& name,
                    const MultiHeadShape& shape, int64_t queries, int64_t keys);
void add_parameters(ParameterShapes& shapes, const names::TransformerLayerNames& layer,
                    const SelfAttentionShape& shape, int64_t width);

}  // namespace heed
