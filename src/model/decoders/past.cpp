#include "model/decoders/past.h"

#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

Past::Past(const PastConfig& config, int64_t width) : parts_(config.parts) {
  attention_ = register_module("attention", build(*config.attention, config.attention_dims(width)));
  own_ = layout_.block("attention", attention_->layout());
}

Tensor Past::read(const Tensor& hidden, const Tensor& positions, StateView state,
                  Attended& attended) {
  const auto parts = hidden.chunk(PastConfig::count_of(parts_), 2);  // k, v, p, or less
  const Tensor &keys = parts[0], &values = parts[parts_ == PastConfig::Parts::kWhole ? 0 : 1];
  attended = attention_->attend_past(keys, values, keys, positions, state[own_]);
  return torch::cat({parts.back(), attended.context}, 2);
}

}  // namespace heed
