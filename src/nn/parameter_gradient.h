// Gradients of parameters that are added where they belong. Own code because autograd makes a tensor
// of the gradient that each use of a parameter gives, and of what is cut out of a parameter one of
// the size of the whole, and adds these to one another and to .grad: passes over memory that take as
// long as the products of a small batch.
#pragma once

#include "nn/tensor.h"

namespace heed {

// While it lives, operations of this thread's backward passes add the gradients of parameters to
// their .grad themselves. For a backward pass that is to add to .grad, as Tensor::backward() does;
// it may give the gradient of a parameter to autograd as well, which adds to the same .grad.
class GradientsInPlace {
 public:
  GradientsInPlace();
  ~GradientsInPlace();
  GradientsInPlace(const GradientsInPlace&) = delete;
  GradientsInPlace& operator=(const GradientsInPlace&) = delete;

 private:
  bool outer_;
};

// Where the gradient of `weight` is added: the part of .grad of the parameter that it is, or that it
// is a view of. Undefined: the gradient is returned to autograd, since there is no scope, or
// `weight` wants none or is computed from parameters, or these have no .grad yet.
Tensor gradient_in_place(const Tensor& weight);

// a·b as the gradient of `weight` (nn/product.h): added in place, and undefined, or returned.
Tensor product_for(const Tensor& weight, const Tensor& a, const Tensor& b);
// scale · x likewise.
Tensor scaled_for(const Tensor& weight, const Tensor& x, const Tensor& scale);

}  // namespace heed
