#include "nn/sources.h"

#include "nn/torch.h"

namespace heed {

Tensor length_mask(const Tensor& lengths, int64_t size) {
  return torch::arange(size, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1);  // [R,S]
}

Source make_source(const Tensor& states, const Tensor& lengths) {
  Source source;
  source.keys = states;
  source.values = states;
  source.lengths = lengths;
  source.mask = length_mask(lengths, states.size(1));
  source.positions =
      torch::arange(states.size(1), lengths.options()).expand({states.size(0), states.size(1)});
  return source;
}

}  // namespace heed
