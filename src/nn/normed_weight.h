// The weight of a layer, optionally with weight norm: a row of it is g v / |v| (Salimans and Kingma
// 2016), as in the layers of a convolutional model (Gehring et al. 2017, section 3.5).
#pragma once

#include <optional>

#include "nn/module.h"

namespace heed {

// [O,I], or [O,I,K] of a convolution: a parameter `weight` of the module `owner`, or its `v` and `gain`.
class NormedWeight {
 public:
  NormedWeight() = default;
  // norm: initial norm of the rows; none: without weight norm. init: of the directions.
  NormedWeight(Module& owner, c10::IntArrayRef shape, std::optional<double> norm,
               const Init& init = Init::matrix());
  bool defined() const { return v_.defined(); }
  // g v / |v|, row by row; without weight norm v.  [O,I], or [O,K I] for a product with windows. In 8-bit
  // training v is rounded first, as in translation with int8, so that its rows have the norm g.
  Tensor get() const;
  // Computes the weight once; the parameters must not change afterwards.
  void freeze();

 private:
  Tensor computed() const;

  Tensor v_;       // [O,I] or [O,I,K]
  Tensor gain_;    // g [O], undefined without weight norm
  Tensor frozen_;  // undefined before freeze()
};

}  // namespace heed
