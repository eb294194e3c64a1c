// Recomputes a layer of an encoder or decoder with nn/recompute.h. Its results besides its states
// are those of attentions and losses.
#pragma once

#include <functional>
#include <vector>

#include "model/decoder.h"
#include "model/encoder.h"
#include "nn/recompute.h"

namespace heed {

// True if the layers of this pass are recomputed in its backward pass.
bool recomputes(const Pass& pass);

// Runs forward() of an encoder layer with the parameters of `layer`. Its results are added to
// `output`.  inputs -> [R,S,W]
using EncoderLayerForward = std::function<Tensor(const std::vector<Tensor>& inputs,
                                                 const Pass& pass, EncoderOutput& output)>;
Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        const Pass& pass, EncoderOutput& output, EncoderLayerForward forward);

// Runs forward() of a decoder layer that reads all targets in one call. The state that it stores is
// discarded.  inputs -> [R,T,W]
using DecoderLayerForward =
    std::function<Tensor(const std::vector<Tensor>& inputs, StateView state, Step& step)>;
Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        StateView state, Step& step, DecoderLayerForward forward);

}  // namespace heed
