#include "nn/rounded_gradient.h"

#include <utility>

#include "nn/torch.h"

namespace heed {

using torch::autograd::AutogradContext;

void RoundedGradient::put(const Tensor& gradient, const RoundedAndSum& rounded) {
  gradient_ = gradient;
  version_ = gradient._version();
  rounded_ = rounded;
}

RoundedAndSum RoundedGradient::take(const Tensor& gradient) {
  const Tensor own = std::exchange(gradient_, {});
  const RoundedAndSum rounded = std::exchange(rounded_, {});
  const bool is_same = own.defined() && own.const_data_ptr() == gradient.const_data_ptr() &&
                       own.sizes() == gradient.sizes() && own.strides() == gradient.strides() &&
                       version_ == gradient._version();
  return is_same ? rounded : RoundedAndSum{};
}

RoundedGradient& rounded_gradient(const c10::IValue& stored) {
  return static_cast<RoundedGradient&>(*stored.toCapsule());
}

namespace {

constexpr const char* kRoundedGradient = "rounded_gradient";

}  // namespace

void store_rounded_gradient(AutogradContext& context) {
  context.saved_data[kRoundedGradient] =
      c10::IValue::make_capsule(c10::make_intrusive<RoundedGradient>());
}

RoundedGradientPointer stored_rounded_gradient(const AutogradContext& context) {
  return c10::static_intrusive_pointer_cast<RoundedGradient>(
      context.saved_data.at(kRoundedGradient).toCapsule());
}

RoundedAndSum rounded_rows(const AutogradContext& context, const Tensor& gradient, bool with_sum) {
  const auto rows_of = [](const Tensor& x) { return x.reshape({-1, x.size(-1)}); };
  const RoundedAndSum known = stored_rounded_gradient(context)->take(gradient);
  if (known.rounded.defined() && (known.sum.defined() || !with_sum))
    return {rows_of(known.rounded), with_sum ? known.sum : Tensor()};
  if (with_sum) return to_bf16_and_sum(rows_of(gradient));
  return {to_bf16(rows_of(gradient)), Tensor()};
}

}  // namespace heed
