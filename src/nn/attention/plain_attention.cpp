#include "nn/attention/plain_attention.h"

#include <utility>

#include "nn/torch.h"

#include "nn/attention/disagreement.h"

namespace heed {

Tensor readable_keys(const KeysAndValues& memory, const Tensor& positions) {
  if (memory.mask.defined()) return memory.mask.unsqueeze(1).unsqueeze(1);        // [R,1,1,S]
  return (memory.positions.unsqueeze(1) <= positions.unsqueeze(2)).unsqueeze(1);  // [R,1,T,S]
}

Attended plain_attention(const Stages& stages, const At& at, const KeysAndValues& memory) {
  Tensor mask = stages.scorer->restrict(readable_keys(memory, at.positions), at);
  for (const auto& term : stages.terms) mask = term->restrict(mask, at);  // [R,1|H,1|T,S]
  Tensor scores = stages.scorer->score(at);                               // [R,H,T,S]
  for (const auto& term : stages.terms) scores = term->add_to(scores, at);
  Tensor weights = stages.normalizer->weights(scores, mask, at);  // [R,H,T,S]
  for (const auto& term : stages.terms) weights = term->reweigh(weights, at);
  const Tensor heads = stages.readout->read(dropout(weights, stages.dropout, at.pass),
                                            memory.values, at);  // [R,H,T,V]
  if (stages.disagreement)
    at.losses.push_back(
        similarity_loss(*stages.disagreement, {memory.values, mask, weights, heads}));
  Attended result;
  result.context = context_of(heads, mask, stages, at, memory);
  result.weights = weights;
  result.losses = std::exchange(at.losses, {});
  return result;
}

Tensor context_of(const Tensor& heads, const Tensor& mask, const Stages& stages, const At& at,
                  const KeysAndValues& memory) {
  const Tensor context = stages.readout->combine(heads, at);
  if (!memory.may_be_empty) return context;
  // The projection may have a bias.
  Tensor nothing = ~mask.any(-1).any(1);  // [R,1|T]
  if (const int64_t hypotheses = context.size(0) / nothing.size(0); hypotheses > 1)
    nothing = nothing.repeat_interleave(hypotheses, 0);  // fast/read_ahead.cpp
  return context.masked_fill(nothing.unsqueeze(2), 0);
}

}  // namespace heed
