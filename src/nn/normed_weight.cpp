#include "nn/normed_weight.h"

#include "nn/torch.h"

namespace heed {

NormedWeight::NormedWeight(Module& owner, c10::IntArrayRef shape, std::optional<double> norm,
                           const Init& init)
    : v_(owner.add_parameter(norm ? "v" : "weight", shape, init)) {
  if (norm) gain_ = owner.add_parameter("gain", {shape[0]}, Init::all(*norm));
}

Tensor NormedWeight::get() const { return frozen_.defined() ? frozen_ : computed(); }

Tensor NormedWeight::computed() const {
  if (!gain_.defined()) return v_;
  const Tensor length = v_.flatten(1).norm(2, 1).clamp_min(1e-12);  // [O]
  std::vector<int64_t> rows(static_cast<size_t>(v_.dim()), 1);
  rows[0] = -1;
  return v_ * (gain_ / length).view(rows);
}

void NormedWeight::freeze() {
  const torch::NoGradGuard no_grad;
  if (gain_.defined()) frozen_ = computed();
}

}  // namespace heed
