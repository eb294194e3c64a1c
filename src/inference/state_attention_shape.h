// Attention of the states of a decoder over those of an encoder, as StateAttention computes it: softmax
// of dot products, general or additive scores, with coverage (See et al. 2017).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "inference/vocabulary_shape.h"
#include "nn/attention/attention_config.h"

namespace heed {

struct StateAttentionShape {
  // kNone: no attention; kDot: q·k, of projections if they are wanted; kGeneral: qᵀ W k; kAdditive:
  // vᵀ tanh(W q + U k + b) (nn/attention/scores)
  enum class Score { kNone, kDot, kGeneral, kAdditive };
  Score score = Score::kNone;
  int64_t query = 0;           // width of the states of the decoder
  int64_t key = 0, value = 0;  // of those of the encoder
  int64_t heads = 1;
  int64_t width = 0;             // of queries and keys, all heads together
  bool projects = false;         // kDot: queries and keys are projected
  bool scales = false;           // kDot: divided by √(width of a head)
  bool query_bias = true;        // kAdditive: b
  bool has_coverage = false;     // kAdditive: with the sum of the previous weights
  bool projects_values = false;  // to their width, and the joined heads once more

  bool reads() const { return score != Score::kNone; }
  int64_t context() const { return reads() ? value : 0; }
  // Numbers that are kept of each source token.
  int64_t source_numbers() const { return width + context(); }
  bool operator==(const StateAttentionShape&) const = default;
};

// query, source: widths of the states. nullopt if StateAttention does not support it.
std::optional<StateAttentionShape> state_attention_shape(const AttentionConfig& config,
                                                         int64_t query, const SourceSpec& source);

// name: of the attention
void add_parameters(ParameterShapes& shapes, const std::string& name,
                    const StateAttentionShape& shape);

}  // namespace heed
