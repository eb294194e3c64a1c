#include "model/decoders/deep_fusion.h"

#include "nn/torch.h"

namespace heed {

DeepFusion::DeepFusion(int64_t input, int64_t hidden, int64_t memory)
    : hidden_(hidden), memory_(memory), gate_(*this, "gate", hidden + input, memory) {}

Tensor DeepFusion::query(const Tensor& x, const StateView& state) const {
  const Tensor before = state.has(read_)
                            ? state.get(read_)
                            : torch::zeros({x.size(0), hidden_}, x.options().requires_grad(false));
  return torch::cat({x, before}, 1);
}

Tensor DeepFusion::memory(const Tensor& x, const Tensor& context, const StateView& state) const {
  const Tensor read = context.narrow(1, 0, hidden_);  // γ~
  state.put(read_, read);
  return torch::sigmoid(gate_(torch::cat({read, x}, 1))) * context.narrow(1, hidden_, memory_);
}

}  // namespace heed
