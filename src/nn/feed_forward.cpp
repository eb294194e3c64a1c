#include "nn/feed_forward.h"

#include "nn/torch.h"

#include "nn/linear.h"

namespace heed {

const Words<Activation>& activation_words() {
  static const Words<Activation> words = {
      {"relu", Activation::kRelu}, {"gelu", Activation::kGelu}, {"gated", Activation::kGated}};
  return words;
}

const Words<NormPlace>& norm_place_words() {
  static const Words<NormPlace> words = {{"pre", NormPlace::kPre}, {"post", NormPlace::kPost}};
  return words;
}

FeedForward::FeedForward(int64_t width, int64_t hidden, Activation activation,
                         double dropout_probability)
    : activation_(activation),
      dropout_(dropout_probability),
      inner_(*this, "inner", width, hidden) {
  if (activation == Activation::kGated) gate_ = Linear(*this, "gate", width, hidden);
  outer_ = Linear(*this, "outer", hidden, width);
}

Tensor FeedForward::forward(const Tensor& x, const Pass& pass) {
  Tensor hidden = inner_(x);
  switch (activation_) {
    case Activation::kRelu:
      hidden = hidden.relu();
      break;
    case Activation::kGelu:
      hidden = torch::gelu(hidden);
      break;
    case Activation::kGated:
      hidden = torch::silu(hidden) * gate_(x);
      break;
  }
  return outer_(dropout(hidden, dropout_, pass));
}

Residual::Residual(int64_t width, NormPlace place, double dropout_probability)
    : place_(place), dropout_(dropout_probability), norm_(nullptr) {
  norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
}

Tensor Residual::forward(const Tensor& x, const Pass& pass,
                         const std::function<Tensor(const Tensor&)>& inner) {
  return around(x, [&](const Tensor& y) { return dropout(inner(y), dropout_, pass); });
}

Tensor Residual::around(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner) {
  if (place_ == NormPlace::kPre) return x + inner(norm_(x));
  return norm_(x + inner(x));
}

}  // namespace heed
