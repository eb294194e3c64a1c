// Initial values of parameters, each from the random stream of its own name, so that adding a
// module changes no other.
#pragma once

#include <string>

#include <torch/nn/module.h>

#include "config/fields.h"
#include "nn/tensor.h"

namespace heed {

struct InitializerConfig final : Settings {
  enum class Method { kDefault, kXavierUniform, kXavierNormal, kUniform, kNormal, kOrthogonal };
  Method method = Method::kDefault;
  double scale = 0.1;  // half width of uniform, standard deviation of normal
  const char* shorthand() const override { return "method"; }
  void fields(Fields& f) const override;
};

// Matrices and vectors of scores are random; biases are 0, but 1 for the forget gate of an LSTM and
// for the halting unit (Graves 2016, section 3); norms and gains keep the values of their
// constructors. The method says how matrices are drawn. `default`: embeddings normal with standard
// deviation E^-1/2; recurrent matrices orthogonal, gate by gate (Saxe et al. 2014); embeddings of a
// memory network normal with standard deviation W^-3/4, so that their unscaled dot products start
// with variance 1 (0.106 at width 20; Sukhbaatar et al. 2015 have 0.1); all others Glorot's uniform
// (Glorot and Bengio 2010).
void initialize(torch::nn::Module& module, const InitializerConfig& config, uint64_t seed);

}  // namespace heed
