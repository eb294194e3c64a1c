// Parameters of the layers of a model of CTranslate2.
#pragma once

#include "exchange/ctranslate2_stack.h"
#include "exchange/ctranslate2_weights.h"
#include "model/safetensors.h"

namespace heed {

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
