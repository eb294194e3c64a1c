// The keys of saved Transformers that TransformerEngine supports.
#pragma once

#include <optional>

#include "inference/saved_keys.h"
#include "inference/transformer_shape.h"

namespace heed {

Kind<PlainKeys> transformer_encoder_keys();
Kind<PlainKeys> transformer_decoder_keys();

// nullopt if `encoder` or `decoder` is of another kind, or TransformerEngine does not support them.
std::optional<TransformerShape> transformer_shape_of(const VocabularyShape& vocabulary,
                                                     const PlainKeys& encoder,
                                                     const PlainKeys& decoder);

}  // namespace heed
