// Dimensions of the models that LastStateEngine supports: those without a decoder.
#pragma once

#include <optional>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/joiner_shape.h"
#include "inference/vocabulary_shape.h"

namespace heed {

struct LastStateShape {
  VocabularyShape vocabulary;
  std::vector<EncoderShape> encoders;  // of each source
  JoinerShape joiner;
  bool operator==(const LastStateShape&) const = default;
};

// nullopt if LastStateEngine does not support the model.
std::optional<LastStateShape> last_state_shape(const ModelConfig& model, const ModelPlan& plan,
                                               const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const LastStateShape& shape, const VocabularySize& size);

}  // namespace heed
