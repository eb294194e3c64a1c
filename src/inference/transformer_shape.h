// Dimensions of the Transformers that TransformerEngine supports: one source, multi-head attention by
// dot products (attention_shape.h), and an output layer over the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/encoder_shape.h"
#include "inference/vocabulary_shape.h"
#include "model/model_spec.h"

namespace heed {

struct TransformerShape {
  VocabularyShape vocabulary;
  EncoderShape encoder;
  StackShape decoder;
  std::vector<std::optional<MultiHeadShape>> cross_attention{};  // of each layer; nullopt: none
  int64_t aligned_layer = 0;             // whose weights over the source are those of alignments
  std::vector<int64_t> aligned_heads{};  // empty: all
  bool operator==(const TransformerShape&) const = default;
};

// nullopt if TransformerEngine does not support the encoder or the decoder.
std::optional<TransformerShape> transformer_shape(const ModelConfig& model, const ModelPlan& plan,
                                                  const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size);

}  // namespace heed
