#include "inference/transformer_shape.h"

#include <algorithm>
#include <string>

#include "model/decoders/transformer_config.h"

namespace heed {

namespace {

// Sets the attention over the source; false if TransformerEngine does not support it.
bool set_cross_attention(TransformerShape& shape, const TransformerDecoderConfig& decoder,
                         const DecoderDims& dims) {
  for (int64_t layer = 0; layer < decoder.layers; ++layer) {
    const AttentionConfig& attention = decoder.attention_of(layer);
    auto own = multi_head_shape(attention, decoder.cross_dims(dims));
    if (attention.reads() && !own) return false;
    shape.cross_attention.push_back(std::move(own));
  }
  shape.aligned_layer = decoder.aligned_layer(dims);
  shape.aligned_heads = decoder.alignment.chosen_heads();
  return decoder.reading_layers() > 0;
}

}  // namespace

std::optional<TransformerShape> transformer_shape(const ModelConfig& model, const ModelPlan& plan,
                                                  const VocabularyShape& vocabulary) {
  const auto* decoder = dynamic_cast<const TransformerDecoderConfig*>(model.decoder.get());
  if (decoder == nullptr || vocabulary.output.beside_embedding() > 0) return std::nullopt;
  const auto source = encoder_shape(plan.sources.front(), *decoder);
  const auto target =
      stack_shape(*decoder, Place::kDecoderSelf,
                  DeepNorm::of_stack(2 * decoder->layers + decoder->reading_layers()));
  if (!source || !target) return std::nullopt;
  // Its keys and values differ, and one product computes both here.
  if (std::holds_alternative<ConvolutionEncoderShape>(source->kind)) return std::nullopt;
  if (source->pools()) return std::nullopt;
  TransformerShape shape{vocabulary, *source, *target};
  if (!set_cross_attention(shape, *decoder, plan.decoder)) return std::nullopt;
  return shape;
}

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size) {
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  add_encoder(shapes, shape.encoder, shape.vocabulary);
  add_stack(shapes, names::kDecoder, shape.decoder, shape.vocabulary.target_input());
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    if (!shape.cross_attention[i]) continue;
    const names::TransformerLayerNames layer(names::layer(names::kDecoder, i));
    add_parameters(shapes, layer.cross_attention, *shape.cross_attention[i], shape.decoder.width,
                   shape.encoder.width());
    add_residual(shapes, layer.cross_norm, layer.cross_omega, shape.decoder);
  }
  return shapes.take();
}

}  // namespace heed
