// Gradient checkpointing (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost"): only
// the inputs of a part of a network are kept for the backward pass, which computes the part again.
// Own code because libtorch has checkpoint() in Python only.
//
// The gradients equal those of the part itself, bit for bit. The part is recomputed by the same
// operations with the same random draws. The gradients of its inputs and parameters are added to
// those of other uses by the same graph, or in place (parameter_gradient.h).
#pragma once

#include <functional>
#include <vector>

#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

// Computes the results of a part, all defined, from its inputs. Draws only from the pass. Called in
// the forward pass and again in the backward pass, possibly in another thread.
using NetworkPart =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, const Pass& pass)>;

// Computes part(inputs, pass). parameters: tensors with a gradient that the part reads besides its
// inputs.
std::vector<Tensor> recomputed(const NetworkPart& part, const std::vector<Tensor>& inputs,
                               const std::vector<Tensor>& parameters, const Pass& pass);

}  // namespace heed
