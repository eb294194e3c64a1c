// Initial values of parameters. Each is drawn from a separate random stream, selected by its name,
// so that adding a module does not change others.
#pragma once

#include <torch/nn/module.h>

#include "nn/initializer_config.h"
#include "nn/tensor.h"

namespace heed {

// Draws the parameters inside `root` that have a random initialization (Init, nn/module.h); gains
// and biases of layer norms are 1 and 0. `method` is the distribution of matrices. `default`:
// embeddings normal with standard deviation E^-1/2; recurrent matrices orthogonal, gate by gate
// (Saxe et al. 2014); all others Glorot's uniform (Glorot and Bengio 2010).
void initialize(torch::nn::Module& root, const InitializerConfig& config, uint64_t seed);

}  // namespace heed
