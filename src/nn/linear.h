// W x + b. The products of Linear layers and recurrent cells go through linear(); their number
// format is that of product.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "nn/module.h"
#include "nn/normed_weight.h"

namespace heed {

class RoundedGradient;

// x [..,I], weight [O,I], bias [O] or undefined -> [..,O]
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

// LN(W x), LN with a gain [O] and kMarianNormEpsilon.  [..,O]
Tensor normed_product(const Tensor& x, const Tensor& weight, const Tensor& gain);

// The gradient of y that the backward pass of linear() reads (rounded_gradient.h); nullptr if y is
// not a result of linear() in bfloat16.
c10::intrusive_ptr<RoundedGradient> rounded_gradient_of_linear(const Tensor& y);

struct LinearForm {
  bool bias = true;
  double first_bias = 0;         // initial value of the bias
  std::optional<double> norm{};  // NormedWeight's
  Init weight = Init::matrix();
};
inline const LinearForm kNoBias{.bias = false};

// The layer with its parameters, name.weight [O,I] and name.bias [O] of its owner. A handle: copies
// refer to the same layer.
class Linear {
 public:
  Linear() = default;  // none
  Linear(Module& owner, const std::string& name, int64_t from, int64_t to,
         const LinearForm& form = {});
  explicit operator bool() const { return layer_ != nullptr; }
  Tensor operator()(const Tensor& x) const;  // [..,I] -> [..,O]
  Tensor weight() const;                     // [O,I]
  const Tensor& bias() const;                // [O] or undefined

 private:
  class Layer;
  std::shared_ptr<Layer> layer_;
};

}  // namespace heed
