// DeepNorm in a module: initial weights that are multiplied by β (deep_norm_spec.h).
#pragma once

#include <torch/nn/module.h>

namespace heed {

// Multiplies by β the weights of f: value and output projections of attention, and the layers of a
// feed-forward sublayer except for the gate of a gated linear unit, as in the authors' code. Queries,
// keys and biases stay as they are.
void scale_weights(torch::nn::Module& f, double beta);

// A module that changes the initial values of parameters after they are drawn.
class ChangesInitialValues {
 public:
  virtual ~ChangesInitialValues() = default;
  virtual void change_initial_values() = 0;
};

}  // namespace heed
