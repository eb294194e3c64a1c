// Dimensions of the Transformers that TransformerEngine supports: Vaswani et al. 2017 with one
// source, multi-head scaled dot-product attention, and an output layer over the vocabulary.
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

// The config.yaml of a model folder with such a model.
struct TransformerConfig {
  TransformerShape shape;
  TextConfigs text;
  SearchConfig search;
  std::optional<int64_t> max_length;
  std::string target_words;
};

// Parses the text of a config.yaml; nullopt if TransformerEngine does not support the model.
std::optional<TransformerConfig> read_transformer_config(const std::string& config);

// The shape of each parameter by its name in model.safetensors. sources, targets: sizes of the
// vocabularies.
std::map<std::string, std::vector<int64_t>> parameter_shapes(const TransformerShape& shape,
                                                             int64_t sources, int64_t targets);

}  // namespace heed
