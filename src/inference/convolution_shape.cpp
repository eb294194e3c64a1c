#include "inference/convolution_shape.h"

#include "model/decoders/convolution_config.h"

namespace heed {

std::optional<ConvolutionShape> convolution_shape(const ModelConfig& model, const ModelPlan& plan,
                                                  const VocabularyShape& vocabulary) {
  const auto* decoder = dynamic_cast<const ConvolutionDecoderConfig*>(model.decoder.get());
  if (decoder == nullptr) return std::nullopt;
  const auto encoder = encoder_shape(plan.sources.front(), *decoder);
  if (!encoder || encoder->pools()) return std::nullopt;
  const auto attention = state_attention_shape(*decoder->attention, vocabulary.target_input(),
                                               plan.decoder.sources.begin()->second.source);
  if (!attention) return std::nullopt;
  return ConvolutionShape{vocabulary, *encoder, ConvolutionStackShape(*decoder), *attention};
}

bool ConvolutionShape::has_weights() const {
  return attention.reads() || vocabulary.output.as<HardMonotonicShape>() != nullptr;
}

ParameterShapes::Map parameter_shapes(const ConvolutionShape& shape, const VocabularySize& size) {
  const ConvolutionStackShape& decoder = shape.decoder;
  const int64_t input = shape.vocabulary.target_input();
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  add_encoder(shapes, shape.encoder, shape.vocabulary);
  add_stack(shapes, names::kDecoder, decoder, input);
  for (int64_t i = 0; i < decoder.layers; ++i) {
    const names::ConvolutionLayerNames layer(names::layer(names::kDecoder, i));
    add_convolution(shapes, layer.convolution, decoder);
    if (!shape.attention.reads()) continue;
    add_parameters(shapes, layer.attention, shape.attention);
    shapes.layer(layer.to_query, decoder.width, input, decoder.weight_norm);
    shapes.layer(layer.from_context, shape.attention.context(), decoder.width, decoder.weight_norm);
  }
  return shapes.take();
}

}  // namespace heed
