// Models that other toolkits can hold: Transformers as in Vaswani et al. 2017.
#pragma once

#include <string>
#include <vector>

#include "inference/transformer_shape.h"
#include "model/saved_model.h"

namespace heed {

// Throws Error(kUsage) with a list of the model's settings that `format` cannot hold.
// with_light_memory: the self-attention of the decoder may be ssru or average, and alignments may be
// those of some heads.
TransformerShape standard_transformer(const SavedModelConfig& config, const std::string& format,
                                      bool with_light_memory = false);

// Heads of the first layer, and so of all layers of a standard Transformer: of self-attention, and of
// the attention over the source. 0 if it has none.
int64_t self_heads(const StackShape& stack);
int64_t cross_heads(const TransformerShape& shape);

// Throws Error(kUsage) unless `reasons` is empty. Reasons have the form "model.decoder.norm: …".
void refuse_model(const std::vector<std::string>& reasons, const std::string& format);

// Reasons for formats that have one width for all vectors of the stream and one number of heads in
// the decoder.
std::vector<std::string> mixed_dimensions(const TransformerShape& shape);

}  // namespace heed
