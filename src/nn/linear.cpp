#include "nn/linear.h"

#include <utility>

#include "nn/torch.h"

namespace heed {

namespace {

thread_local const ProductScope::Product* product_in_use = nullptr;

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return product_in_use != nullptr ? (*product_in_use)(x, weight, bias)
                                   : torch::linear(x, weight, bias);
}

ProductScope::ProductScope(Product product)
    : product_(std::move(product)), outer_(std::exchange(product_in_use, &product_)) {}

ProductScope::~ProductScope() { product_in_use = outer_; }

class Linear::Layer final : public Module {
 public:
  Layer(int64_t from, int64_t to, const LinearForm& form)
      : weight(*this, {to, from}, form.norm, form.weight) {
    if (form.bias) bias = add_parameter("bias", {to}, Init::all(form.first_bias));
  }
  void freeze() override { weight.freeze(); }

  NormedWeight weight;
  Tensor bias;
};

Linear::Linear(Module& owner, const std::string& name, int64_t from, int64_t to,
               const LinearForm& form)
    : layer_(owner.register_module(name, std::make_shared<Layer>(from, to, form))) {}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight(), layer_->bias); }

Tensor Linear::weight() const { return layer_->weight.get(); }

const Tensor& Linear::bias() const { return layer_->bias; }

}  // namespace heed
