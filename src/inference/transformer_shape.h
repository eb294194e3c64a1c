// The Transformer of Vaswani et al. 2017 in the variants that TransformerEngine computes: one source,
// scaled dot products with softmax, multiple heads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/search_config.h"
#include "text/text_config.h"

namespace heed {

struct StackShape {  // of the encoder or the decoder
  enum class Positions { kNone, kSinusoidal, kLearned };
  enum class Activation { kRelu, kGelu, kGated };
  int64_t layers = 0, width = 0, feed_forward = 0;
  int64_t heads = 0;  // of self-attention
  Positions positions = Positions::kSinusoidal;
  int64_t max_positions = 0;  // of a learned table
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

// What a model folder's config.yaml says of such a model.
struct TransformerConfig {
  TransformerShape shape;
  TextConfigs text;
  SearchConfig search;
  std::optional<int64_t> max_length;
  std::string target_words;
};

// Of the text of such a config.yaml; none where the model has a part that TransformerEngine does not
// compute.
std::optional<TransformerConfig> read_transformer_config(const std::string& config);

// The shape of each parameter by its name in model.safetensors. sources, targets: sizes of the
// vocabularies.
std::map<std::string, std::vector<int64_t>> parameter_shapes(const TransformerShape& shape,
                                                             int64_t sources, int64_t targets);

}  // namespace heed
