// Normalization around the sublayers of a Transformer.
#pragma once

#include <memory>

#include "nn/layer_config.h"
#include "nn/module.h"

namespace heed {

class Norm : public Module {
 public:
  // The result, and x for a connection around what reads the result.
  struct Branches {
    Tensor normed, x;
  };
  virtual Branches branches(const Tensor& x) = 0;
  Tensor operator()(const Tensor& x) { return branches(x).normed; }  // [..,W] -> [..,W]
};

std::shared_ptr<Norm> build(NormType type, int64_t width);

}  // namespace heed
