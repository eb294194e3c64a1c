// Dimensions of the Transformers that TransformerEngine supports: Vaswani et al. 2017 with one
// source, multi-head scaled dot-product attention, and an output layer over the vocabulary.
#pragma once

#include <cstdint>

#include "inference/vocabulary_shape.h"

namespace heed {

struct StackShape {  // of the encoder or the decoder
  enum class Positions { kNone, kSinusoidal, kLearned };
  enum class Sinusoids { kInterleaved, kHalves, kFairseq, kOpennmtTf };
  enum class Activation { kRelu, kGelu, kSilu, kGated };
  int64_t layers = 0, width = 0, feed_forward = 0;
  int64_t heads = 0;  // of self-attention
  Positions positions = Positions::kSinusoidal;
  Sinusoids layout = Sinusoids::kInterleaved;
  int64_t max_positions = 0;  // of a learned table
  Activation activation = Activation::kRelu;
  bool post_norm = false, scale_embedding = true;
  bool final_norm = true;  // with norm before the sublayers
  bool has_final_norm() const { return !post_norm && final_norm; }
};

struct TransformerShape {
  VocabularyShape vocabulary;
  StackShape encoder, decoder;
  int64_t cross_heads = 0;
};

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size);

}  // namespace heed
