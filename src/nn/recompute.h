// Gradient checkpointing (Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost"): of a part
// of a network, its inputs alone are kept for the backward pass, which computes the part again. Own
// code because libtorch has checkpoint() in Python only.
//
// The gradients are those of the part itself, bit for bit: it is computed by the same operations with
// the same random draws, and the gradients of its inputs and parameters are added to those of other
// uses by the same graph, or in place (parameter_gradient.h).
#pragma once

#include <functional>
#include <vector>

#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

// The results of a part, all defined, from its inputs. Draws from the pass alone; called in the
// forward pass and again in the backward pass, maybe in another thread.
using NetworkPart =
    std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs, const Pass& pass)>;

// part(inputs, pass). parameters: what the part reads besides its inputs that has a gradient.
std::vector<Tensor> recomputed(const NetworkPart& part, const std::vector<Tensor>& inputs,
                               const std::vector<Tensor>& parameters, const Pass& pass);

}  // namespace heed
