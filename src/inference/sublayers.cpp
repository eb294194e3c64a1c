#include "inference/sublayers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

void gelu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    x[i] *= 0.5F * (1 + std::erf(x[i] * static_cast<float>(1 / std::numbers::sqrt2)));
}

// Hendrycks and Gimpel 2016, section 2: the approximation by tanh.
void gelu_by_tanh(float* x, int64_t count) {
  const float scale = std::sqrt(2 / std::numbers::pi_v<float>);
  for (int64_t i = 0; i < count; ++i)
    x[i] *= 0.5F * (1 + std::tanh(scale * (x[i] + 0.044715F * x[i] * x[i] * x[i])));
}

}  // namespace

NormStep::NormStep(const std::string& name, NormType type, const Packer& packer)
    : gain(packer.aligned(names::weight(name))) {
  if (type == NormType::kLayer) bias = packer.aligned(names::bias(name));
}

void NormStep::operator()(const float* x, int64_t rows, float* y, const Kernels& set) const {
  const auto width = static_cast<int64_t>(gain.size());
  if (gain.empty()) return;
  if (bias.empty()) return set.rms_norm(x, rows, width, gain.data(), y);
  set.layer_norm(x, rows, width, gain.data(), bias.data(), y);
}

ResidualStep::ResidualStep(const std::string& norm, const std::string& omega,
                           const StackShape& stack, const Packer& packer)
    : norm_(norm, stack.norm_type, packer), post_(stack.post_norm()) {
  if (stack.norm == NormPlace::kAdmin) factor_ = packer.aligned(omega);
  if (stack.norm == NormPlace::kDeep)
    factor_.assign(static_cast<size_t>(stack.width), static_cast<float>(stack.alpha));
}

void ResidualStep::scale(AlignedFloats& x, int64_t rows) const {
  const auto width = static_cast<int64_t>(factor_.size());
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) x[r * width + i] *= factor_[i];
  }
}

FeedForwardStep::FeedForwardStep(Activation activation, const std::string& inner,
                                 const std::string& gate, const std::string& outer,
                                 const Packer& packer)
    : activation_(activation), inner_(packer.linear({inner})), outer_(packer.linear({outer})) {
  if (is_gated(activation)) gate_ = packer.linear({gate});
}

void FeedForwardStep::operator()(const float* x, int64_t rows, float* y, const Kernels& set,
                                 Workspace& room) const {
  const int64_t count = rows * inner_.outputs();
  room.inner.resize(static_cast<size_t>(count));
  inner_.product(x, rows, room.inner.data());
  switch (activation_) {
    case Activation::kRelu:
      set.relu(room.inner.data(), count);
      break;
    case Activation::kGelu:
      gelu(room.inner.data(), count);
      break;
    case Activation::kSilu:
      room.gate.assign(static_cast<size_t>(count), 1);
      set.silu_times(room.inner.data(), count, room.gate.data());
      return outer_.product(room.gate.data(), rows, y);
    case Activation::kGated:
      room.gate.resize(static_cast<size_t>(count));
      gate_.product(x, rows, room.gate.data());
      set.silu_times(room.inner.data(), count, room.gate.data());
      return outer_.product(room.gate.data(), rows, y);
    case Activation::kGatedGelu:
    case Activation::kGatedGeluTanh:
      room.gate.resize(static_cast<size_t>(count));
      gate_.product(x, rows, room.gate.data());
      (activation_ == Activation::kGatedGelu ? gelu : gelu_by_tanh)(room.inner.data(), count);
      std::ranges::transform(room.inner, room.gate, room.inner.begin(), std::multiplies<>());
      break;
  }
  outer_.product(room.inner.data(), rows, y);
}

}  // namespace heed
