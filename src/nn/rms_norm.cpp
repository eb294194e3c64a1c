#include "nn/rms_norm.h"

#include "nn/torch.h"

namespace heed {

RmsNorm::RmsNorm(int64_t width, double epsilon)
    : epsilon_(epsilon), weight_(add_parameter("weight", {width}, Init::all(1))) {}

Norm::Branches RmsNorm::branches(const Tensor& x) {
  const Tensor scale = (x.square().mean(-1, true) + epsilon_).rsqrt();  // [..,1]
  return {x * scale * weight_, x};
}

}  // namespace heed
