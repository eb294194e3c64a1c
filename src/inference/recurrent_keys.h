// The keys of saved recurrent models that RecurrentEngine supports.
#pragma once

#include <optional>

#include "inference/recurrent_shape.h"
#include "inference/saved_keys.h"

namespace heed {

Kind<PlainKeys> recurrent_encoder_keys();
Kind<PlainKeys> recurrent_decoder_keys();

// nullopt if `encoder` or `decoder` is of another kind, or RecurrentEngine does not support them.
std::optional<RecurrentShape> recurrent_shape_of(const VocabularyShape& vocabulary,
                                                 const PlainKeys& encoder,
                                                 const PlainKeys& decoder);

}  // namespace heed
