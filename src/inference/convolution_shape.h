// Dimensions of the models that ConvolutionEngine supports: a decoder of gated convolutions with
// attention in every layer (Gehring et al. 2017).
#pragma once

#include <optional>

#include "inference/encoder_shape.h"
#include "inference/state_attention_shape.h"
#include "inference/vocabulary_shape.h"
#include "model/model_spec.h"

namespace heed {

struct ConvolutionShape {
  VocabularyShape vocabulary;
  EncoderShape encoder;
  ConvolutionStackShape decoder;
  StateAttentionShape attention;  // of each layer
  // True if there are attention weights over the source, or alignments of the output.
  bool has_weights() const;
  bool operator==(const ConvolutionShape&) const = default;
};

// nullopt if ConvolutionEngine does not support the encoder or the decoder.
std::optional<ConvolutionShape> convolution_shape(const ModelConfig& model, const ModelPlan& plan,
                                                  const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const ConvolutionShape& shape, const VocabularySize& size);

}  // namespace heed
