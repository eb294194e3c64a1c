#include "nn/sources.h"

#include "nn/torch.h"

namespace heed {

Tensor length_mask(const Tensor& lengths, int64_t size) {
  return torch::arange(size, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1);  // [R,S]
}

Tensor positions_of(const Tensor& lengths, int64_t size) {
  return torch::arange(size, lengths.options()).expand({lengths.size(0), size});
}

Tensor uniform_weights(const Tensor& mask, const Tensor& x) {
  const Tensor open = mask.to(x.scalar_type());
  return open / open.sum(1, true).clamp_min(1);
}

Tensor mean_state(const Tensor& states, const Tensor& mask) {
  const Tensor open = mask.unsqueeze(2).to(states.scalar_type());  // [R,S,1]
  return (states * open).sum(1) / open.sum(1).clamp_min(1);
}

Source make_source(const Tensor& states, const Tensor& lengths) {
  Source source;
  source.keys = states;
  source.values = states;
  source.lengths = lengths;
  source.mask = length_mask(lengths, states.size(1));
  source.positions = positions_of(lengths, states.size(1));
  return source;
}

}  // namespace heed
