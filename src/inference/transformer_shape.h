// Dimensions of the Transformers that TransformerEngine supports: one source, multi-head attention by
// dot products (attention_shape.h), and an output layer over the vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/vocabulary_shape.h"
#include "model/model_config.h"
#include "nn/layer_config.h"
#include "nn/position_config.h"

namespace heed {

struct StackShape {  // of the encoder or the decoder
  int64_t width = 0, feed_forward = 0;
  std::vector<SelfAttentionShape> self_attention{};  // of each layer
  PositionKind positions = PositionKind::kSinusoidal;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;
  int64_t max_positions = 0;  // of a learned table
  Activation activation = Activation::kRelu;
  NormPlace norm = NormPlace::kPre;
  NormType norm_type = NormType::kLayer;
  double alpha = 1;  // of residual connections; not 1 with kDeep
  bool scale_embedding = true;
  bool final_norm = true;  // with kPre

  int64_t layers() const { return std::ssize(self_attention); }
  bool post_norm() const { return norm != NormPlace::kPre; }
  bool has_final_norm() const { return !post_norm() && final_norm; }
  bool operator==(const StackShape&) const = default;
};

struct TransformerShape {
  VocabularyShape vocabulary;
  StackShape encoder, decoder;
  std::vector<std::optional<MultiHeadShape>> cross_attention{};  // of each layer; nullopt: none
  int64_t aligned_layer = 0;             // whose weights over the source are those of alignments
  std::vector<int64_t> aligned_heads{};  // empty: all
  bool operator==(const TransformerShape&) const = default;
};

// nullopt if TransformerEngine does not support the encoder or the decoder.
std::optional<TransformerShape> transformer_shape(const ModelConfig& model,
                                                  const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size);

}  // namespace heed
