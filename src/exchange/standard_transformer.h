// The models that other toolkits can hold: Transformers as in Vaswani et al. 2017.
#pragma once

#include <string>
#include <vector>

#include "inference/transformer_shape.h"
#include "model/saved_model.h"

namespace heed {

// Throws Error(kUsage) that lists the settings of the model that `format` cannot hold.
TransformerShape standard_transformer(const SavedModelConfig& config, const std::string& format);

// What a format cannot hold, each "model.decoder.norm: …"; throws as above if there is something.
void refuse_model(const std::vector<std::string>& reasons, const std::string& format);

// What formats with one width for all vectors of the stream, and one number of heads for the
// decoder, cannot hold.
std::vector<std::string> mixed_dimensions(const TransformerShape& shape);

}  // namespace heed
