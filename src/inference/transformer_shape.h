// Dimensions of the Transformers that TransformerEngine supports: Vaswani et al. 2017 with one
// source, multi-head scaled dot-product attention, and an output layer over the vocabulary.
#pragma once

#include <cstdint>
#include <optional>

#include "inference/vocabulary_shape.h"
#include "model/model_config.h"
#include "nn/layer_config.h"
#include "nn/position_config.h"

namespace heed {

struct StackShape {  // of the encoder or the decoder
  int64_t layers = 0, width = 0, feed_forward = 0;
  int64_t heads = 0;  // of self-attention
  PositionKind positions = PositionKind::kSinusoidal;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;
  int64_t max_positions = 0;  // of a learned table
  Activation activation = Activation::kRelu;
  bool post_norm = false, scale_embedding = true;
  bool final_norm = true;  // with norm before the sublayers
  bool has_final_norm() const { return !post_norm && final_norm; }
  bool operator==(const StackShape&) const = default;
};

struct TransformerShape {
  VocabularyShape vocabulary;
  StackShape encoder, decoder;
  int64_t cross_heads = 0;
  bool operator==(const TransformerShape&) const = default;
};

// nullopt if TransformerEngine does not support the encoder or the decoder.
std::optional<TransformerShape> transformer_shape(const ModelConfig& model,
                                                  const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size);

}  // namespace heed
