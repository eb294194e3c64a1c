// Attention of a recurrent decoder over its sources: one, or several whose context vectors are combined
// (nn/attention/multi_source.h, attention_over_attention.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inference/state_attention_shape.h"
#include "model/encoder_config.h"

namespace heed {

struct SourcesAttentionShape {
  // kOne: attention over one source. kOverAttention: over the first of two, by the second one
  enum class Combination { kOne, kConcatenate, kAdd, kHierarchical, kOverAttention };
  struct Part {
    size_t source = 0;        // its number
    std::string name;         // of the source
    std::string attention{};  // name of its parameters
    StateAttentionShape shape{};
    bool operator==(const Part&) const = default;
  };
  Combination combine = Combination::kOne;
  std::vector<Part> parts{};       // of each source that is read; none: no attention
  int64_t query = 0, context = 0;  // widths

  bool reads() const { return context > 0; }
  // Numbers that are kept of a token of each source.
  int64_t source_numbers() const;
  int64_t widest() const;  // of the inputs of its layers
  bool operator==(const SourcesAttentionShape&) const = default;
};

// query: width of the states of the decoder. nullopt if SourcesAttention does not support it.
std::optional<SourcesAttentionShape> sources_attention_shape(const AttentionConfig& config,
                                                             int64_t query,
                                                             const AllSourceDims& sources);

void add_parameters(ParameterShapes& shapes, const SourcesAttentionShape& shape);

}  // namespace heed
