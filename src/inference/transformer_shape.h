// The Transformer of Vaswani et al. 2017 in the variants that TransformerEngine computes: one source,
// scaled dot products with softmax, multiple heads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

struct StackShape {  // of the encoder or the decoder
  enum class Positions { kNone, kSinusoidal, kLearned };
  enum class Activation { kRelu, kGelu, kGated };
  int64_t layers = 0, width = 0, feed_forward = 0;
  int64_t heads = 0;  // of self-attention
  Positions positions = Positions::kSinusoidal;
  Activation activation = Activation::kRelu;
  bool post_norm = false, scale_embedding = true;
};

struct TransformerShape {
  std::string source;                                   // name of the source
  int64_t embedding = 0;                                // E
  bool source_is_tied = false, output_is_tied = false;  // to the target's embeddings
  bool output_bias = true;
  StackShape encoder, decoder;
  int64_t cross_heads = 0;
};

// The shape of a model with such a config.yaml (that of a model folder); none where it has a part that
// TransformerEngine does not compute.
std::optional<TransformerShape> find_transformer_shape(const std::string& config);

}  // namespace heed
