// Gradients of parameters that are added to .grad directly. Own code because autograd makes a
// tensor for the gradient of each use of a parameter, and one of the size of the whole parameter
// for the gradient of a slice. It then adds these to one another and to .grad. These passes over
// memory take as long as the products of a small batch.
#pragma once

#include "nn/tensor.h"

namespace heed {

// While it lives, operations of this thread's backward passes add the gradients of parameters to
// their .grad themselves. Used for a backward pass that adds to .grad, as Tensor::backward() does.
// An operation may return the gradient of a parameter to autograd as well, which adds it to the
// same .grad.
class GradientsInPlace {
 public:
  GradientsInPlace();
  ~GradientsInPlace();
  GradientsInPlace(const GradientsInPlace&) = delete;
  GradientsInPlace& operator=(const GradientsInPlace&) = delete;

 private:
  bool outer_;
};

// Tensor to which the gradient of `weight` is added: .grad of the parameter `weight`, or a part of
// it if `weight` is a view of a parameter. Undefined if the gradient has to be returned to
// autograd: without a GradientsInPlace, or if `weight` needs no gradient or is computed from
// parameters, or if these have no .grad yet.
Tensor gradient_in_place(const Tensor& weight);

// Computes a·b as the gradient of `weight` (nn/product.h). Adds it in place and returns an
// undefined tensor, or returns it.
Tensor product_for(const Tensor& weight, const Tensor& a, const Tensor& b);
// The same for scale · x.
Tensor scaled_for(const Tensor& weight, const Tensor& x, const Tensor& scale);

}  // namespace heed
