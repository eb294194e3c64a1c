// Encoder or decoder of a model of CTranslate2: its settings, which are scalars of model.bin, their
// keys in a config of heed, and the parameters of its layers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exchange/ctranslate2_weights.h"
#include "model/safetensors.h"

namespace heed {

struct CTranslate2Stack {
  std::string scope, own;  // what names of parameters begin with there and here
  int64_t layers = 0, width = 0, hidden = 0, heads = 0;
  bool pre_norm = true, final_norm = false, is_scaled_by_root = false;
  std::string activation{};       // the word in heed
  double inner_factor = 1;        // of what the activation reads; what it gives is divided by it
  double embedding_factor = 1;    // of the embeddings
  std::optional<int64_t> clip{};  // of relative positions
  std::string positions{};        // the value of that key
  std::optional<int64_t> positions_in_table{};  // of learned positions

  std::string layer(int64_t i) const;      // encoder/layer_0
  std::string own_layer(int64_t i) const;  // encoder_source.layer_0
  std::string config() const;              // keys of its config
};

// The name of the embeddings in `scope`; of an encoder that of the first of its inputs.
std::string embeddings_of(const CTranslate2Weights& weights, const std::string& scope);

// All but the positions. Appends what heed does not have to `problems`. Throws Error(kModel) for
// what is damaged.
CTranslate2Stack read_ctranslate2_stack(CTranslate2Weights& weights, const std::string& scope,
                                        const std::string& own, std::vector<std::string>& problems);

// A linear layer, y = W x + b.
struct CTranslate2Linear {
  Tensor weight, bias;  // [O,I], [O]; zeros where the model has no bias
};
CTranslate2Linear read_ctranslate2_linear(CTranslate2Weights& weights, const std::string& name,
                                          int64_t outputs, int64_t inputs);

// Adds positions and all layers of a stack to `to`, by the names of heed; of a decoder its attention
// over the source too. Completes the settings of the positions. Throws Error(kModel) that names what
// is missing or of another shape.
void read_ctranslate2_layers(CTranslate2Weights& weights, CTranslate2Stack& stack, bool is_decoder,
                             NamedTensors& to);

}  // namespace heed
