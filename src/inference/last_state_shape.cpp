#include "inference/last_state_shape.h"

#include <algorithm>
#include <utility>

namespace heed {

std::optional<LastStateShape> last_state_shape(const ModelConfig& model, const ModelPlan& plan,
                                               const VocabularyShape& vocabulary) {
  const bool is_label = vocabulary.output.as<LabelShape>() != nullptr;
  if (model.decoder->type != "none" || !is_label) return std::nullopt;
  auto encoders = encoder_shapes(plan, *model.decoder);
  const auto joiner = joiner_shape(model, plan);
  if (!encoders || !joiner) return std::nullopt;
  if (model.join && std::ranges::any_of(*encoders, &EncoderShape::pools)) return std::nullopt;
  return LastStateShape{vocabulary, std::move(*encoders), *joiner};
}

ParameterShapes::Map parameter_shapes(const LastStateShape& shape, const VocabularySize& size) {
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  for (size_t i = 0; i < shape.encoders.size(); ++i)
    add_encoder(shapes, shape.encoders[i], shape.vocabulary, i);
  add_joiner(shapes, shape.joiner);
  return shapes.take();
}

}  // namespace heed
