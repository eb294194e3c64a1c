#include "model/encoder.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

void EncodedSource::pool(Source pooled, const Tensor& weights) {
  source = std::move(pooled);
  origin = origin.defined() ? torch::matmul(weights, origin) : weights;
}

Sources EncoderOutput::memories() const {
  Sources memories;
  for (const auto& [name, encoded] : sources) memories.emplace(name, encoded.source);
  return memories;
}

void EncoderOutput::take_losses(std::vector<SideLoss> found, const Tensor& counted) {
  for (SideLoss& loss : found) {
    loss.counted = counted;
    losses.push_back(std::move(loss));
  }
}

Tensor EncoderOutput::take(const Site& site, Attended one, const Tensor& counted,
                           const Pass& pass) {
  one.site = site;
  const Tensor context = one.context;
  take_losses(std::move(one.losses), counted);
  if (pass.keep_weights) attended.push_back(std::move(one));
  return context;
}

void EncoderOutput::take_weights(const Site& site, const std::string& source, const Tensor& weights,
                                 const Pass& pass) {
  if (!pass.keep_weights) return;
  Attended& one = attended.emplace_back();
  one.site = site;
  one.source = source;
  one.weights = weights.unsqueeze(1);  // [R,1,T,S]
}

EncodedSource encoded_states(const Tensor& states, const SourceBatch& source) {
  EncodedSource encoded;
  encoded.source = make_source(states, source.lengths);
  encoded.source.features = source.features;
  encoded.final_state.hidden = {mean_state(states, source.mask)};
  return encoded;
}

Attended attend_own_sentence(Attention& attention, const Tensor& x, const SourceBatch& source,
                             const Pass& pass) {
  Source own = make_source(x, source.lengths);
  own.features = source.features;
  State state(attention.layout(), x.size(0), pass, x.device());
  attention.start({{"self", own}}, state.view());
  return attention.attend(x, own.positions, state.view());
}

}  // namespace heed
