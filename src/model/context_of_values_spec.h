// A check of attentions whose context vector takes the place of a state.
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

// True if the context vector has this width, that of the values, whatever the width of the query:
// it is made of the values and not of the query, as that of several hops is.
inline bool is_context_of_values(const AttentionConfig& attention, AttentionDims dims,
                                 int64_t width) {
  if (attention.context_width(dims) != width) return false;
  ++dims.query;
  return attention.context_width(dims) == width;
}

}  // namespace heed
