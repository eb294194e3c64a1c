#include "model/encoder.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

Sources EncoderOutput::memories() const {
  Sources memories;
  for (const auto& [name, encoded] : sources) memories.emplace(name, encoded.source);
  return memories;
}

namespace {

// The mean of the states [R,S,W] that the mask [R,S] leaves; 0 where it leaves none.  [R,W]
Tensor mean_state(const Tensor& states, const Tensor& mask) {
  const Tensor open = mask.unsqueeze(2).to(states.scalar_type());  // [R,S,1]
  return (states * open).sum(1) / open.sum(1).clamp_min(1);
}

}  // namespace

SourceDims NoEncoderConfig::dims(int64_t) const { return {}; }

std::shared_ptr<Encoder> NoEncoderConfig::build(int64_t, int64_t) const {
  throw InternalError("an encoder of no source");
}

void SharedEncoderConfig::fields(Fields& f) {
  f.field("with", with, "the source whose encoder it is");
  f.required("with");
}

SourceDims SharedEncoderConfig::dims(int64_t) const { return {}; }

std::shared_ptr<Encoder> SharedEncoderConfig::build(int64_t, int64_t) const {
  throw InternalError("an encoder that is another's");
}

EncodedSource encoded_states(const Tensor& states, const SourceBatch& source) {
  EncodedSource encoded;
  encoded.source = make_source(states, source.lengths);
  encoded.source.side = source.side;
  encoded.final_state.hidden = {mean_state(states, source.mask)};
  return encoded;
}

Tensor attend_own_sentence(Attention& attention, const Tensor& x, const SourceBatch& source,
                           const Pass& pass, EncoderOutput& output) {
  Source own = make_source(x, source.lengths);
  own.side = source.side;
  State state(x.size(0), pass, x.device());
  attention.start({{"self", own}}, state.view("self"));
  Attended attended = attention.attend(x, own.positions, state.view("self"));
  const Tensor context = attended.context;
  for (SideLoss& loss : attended.losses) {
    loss.places = source.mask;
    output.losses.push_back(std::move(loss));
  }
  if (pass.keep_weights) output.attended.push_back(std::move(attended));
  return context;
}

}  // namespace heed
