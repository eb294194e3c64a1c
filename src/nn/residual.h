// The residual connection around a sublayer, with dropout and normalization.
#pragma once

#include <functional>

#include "nn/layer_config.h"
#include "nn/norm.h"
#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class Residual final : public Module {
 public:
  Residual(int64_t width, NormPlace place, double dropout, NormType type = NormType::kLayer);
  Tensor forward(const Tensor& x, const Pass& pass,
                 const std::function<Tensor(const Tensor&)>& inner);
  // The same for an f that applies dropout itself, with this probability.
  Tensor around(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner);
  double dropout_probability() const { return dropout_; }

 private:
  using Join = std::function<Tensor(const Tensor& x, const Tensor& f)>;
  Tensor join(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner, const Join& sum);

  NormPlace place_;
  double dropout_;
  std::shared_ptr<Norm> norm_;
};

// x + dropout(f), in one pass on a CPU.
Tensor add_dropped(const Tensor& x, const Tensor& f, double p, const Pass& pass);

}  // namespace heed
