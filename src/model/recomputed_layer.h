// A layer of an encoder or decoder by nn/recompute.h: what it gives besides its states are results of
// attentions and losses.
#pragma once

#include <functional>
#include <vector>

#include "model/decoder.h"
#include "model/encoder.h"
#include "nn/recompute.h"

namespace heed {

// Whether the layers of this pass are computed again in its backward pass.
bool recomputes(const Pass& pass);

// forward() of a layer of an encoder, whose parameters are those of `layer`; its results are added to
// `output`.  inputs -> [R,S,W]
using EncoderLayerForward = std::function<Tensor(const std::vector<Tensor>& inputs,
                                                 const Pass& pass, EncoderOutput& output)>;
Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        const Pass& pass, EncoderOutput& output, EncoderLayerForward forward);

// forward() of a layer of a decoder, which reads all targets in one call: what it stores in the state
// is forgotten.  inputs -> [R,T,W]
using DecoderLayerForward =
    std::function<Tensor(const std::vector<Tensor>& inputs, StateView state, Step& step)>;
Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        StateView state, Step& step, DecoderLayerForward forward);

}  // namespace heed
