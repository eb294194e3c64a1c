#include "model/encoder.h"

#include "nn/torch.h"

namespace heed {

Sources EncoderOutput::memories() const {
  Sources memories;
  for (const auto& [name, encoded] : sources) memories.emplace(name, encoded.source);
  return memories;
}

Tensor attend_own_sentence(Attention& attention, const Tensor& x, const SourceBatch& source,
                           const Pass& pass, EncoderOutput& output) {
  Source own = make_source(x, source.lengths);
  own.side = source.side;
  State state(x.size(0), pass, x.device());
  attention.start({{"self", own}}, state.view("self"));
  Attended attended = attention.attend(x, own.positions, state.view("self"));
  const Tensor context = attended.context;
  output.losses.insert(output.losses.end(), attended.losses.begin(), attended.losses.end());
  if (pass.keep_weights) output.attended.push_back(std::move(attended));
  return context;
}

Tensor mean_state(const Tensor& states, const Tensor& mask) {
  const Tensor open = mask.unsqueeze(2).to(states.scalar_type());  // [R,S,1]
  return (states * open).sum(1) / open.sum(1).clamp_min(1);
}

}  // namespace heed
