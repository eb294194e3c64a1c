// The residual connection around a sublayer, with dropout and normalization.
#pragma once

#include <functional>
#include <memory>

#include "nn/deep_norm.h"
#include "nn/deep_norm_spec.h"
#include "nn/layer_config.h"
#include "nn/norm.h"
#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class Residual final : public Module, public ChangesInitialValues {
 public:
  Residual(int64_t width, NormPlace place, double dropout, NormType type = NormType::kLayer);
  Tensor forward(const Tensor& x, const Pass& pass,
                 const std::function<Tensor(const Tensor&)>& inner);
  // The same for an f that applies dropout itself, with this probability.
  Tensor around(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner);
  double dropout_probability() const { return dropout_; }

  // norm: deep. Sets α; initialize() multiplies the weights of the sublayer f by β.
  void deepen(const DeepNorm& depth, std::shared_ptr<Module> f);
  void change_initial_values() override;
  // norm: admin. Sets each element of ω, 1 by default.
  void set_omega(double value);
  bool has_omega() const { return omega_.defined(); }

 private:
  using Join = std::function<Tensor(const Tensor& x, const Tensor& f)>;
  Tensor join(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner, const Join& sum);
  Tensor scaled(const Tensor& x) const;

  NormPlace place_;
  double dropout_;
  DeepNorm depth_;                    // kDeep
  std::shared_ptr<Module> deepened_;  // f, of another module
  Tensor omega_;                      // [W], kAdmin
  std::shared_ptr<Norm> norm_;
};

// x + dropout(f), in one pass on a CPU.
Tensor add_dropped(const Tensor& x, const Tensor& f, double p, const Pass& pass);

}  // namespace heed
