#include "nn/parameter_gradient.h"

#include <utility>

#include "nn/torch.h"

#include "base/fast_paths.h"
#include "nn/product.h"

namespace heed {

namespace {

thread_local bool in_place = false;

}  // namespace

GradientsInPlace::GradientsInPlace() : outer_(std::exchange(in_place, fast_paths())) {}

GradientsInPlace::~GradientsInPlace() { in_place = outer_; }

Tensor gradient_in_place(const Tensor& weight) {
  if (!in_place || !weight.defined() || !weight.requires_grad()) return {};
  const Tensor parameter(weight.is_view() ? weight._base() : weight);
  if (!parameter.is_leaf() || !parameter.requires_grad()) return {};
  const Tensor whole = parameter.grad();
  if (!whole.defined() || whole.strides() != parameter.strides()) return {};
  return whole.as_strided(
      weight.sizes(), weight.strides(),
      whole.storage_offset() + weight.storage_offset() - parameter.storage_offset());
}

Tensor product_for(const Tensor& weight, const Tensor& a, const Tensor& b) {
  Tensor own = gradient_in_place(weight);
  if (!own.defined()) return product(a, b);
  add_product(own, a, b);
  return {};
}

Tensor scaled_for(const Tensor& weight, const Tensor& x, const Tensor& scale) {
  Tensor own = gradient_in_place(weight);
  if (!own.defined()) return x * scale;
  own.add_(x, scale.item());
  return {};
}

}  // namespace heed
