#include "model/encoder.h"

#include "nn/torch.h"

namespace heed {

Sources EncoderOutput::memories() const {
  Sources memories;
  for (const auto& [name, encoded] : sources) memories.emplace(name, encoded.source);
  return memories;
}

Tensor mean_state(const Tensor& states, const Tensor& mask) {
  const Tensor open = mask.unsqueeze(2).to(states.scalar_type());  // [R,S,1]
  return (states * open).sum(1) / open.sum(1).clamp_min(1);
}

}  // namespace heed
