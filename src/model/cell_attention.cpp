#include "model/cell_attention.h"

#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

namespace {

// Changes the weights of a result and of its parts.
template <class Change>
void change_weights(Attended& attended, const Change& change) {
  if (attended.weights.defined()) attended.weights = change(attended.weights);
  for (Attended& part : attended.parts) change_weights(part, change);
}

// Turns weights of the states s_0 … s_t before each token into those of s_1 … s_{t+1}
// after it, the last of them 0.  [R,H,1,t+1]
Tensor of_tokens(const Tensor& weights) {
  return torch::constant_pad_nd(weights.narrow(3, 1, weights.size(3) - 1), {0, 1});
}

}  // namespace

CellAttention::CellAttention(const CellAttentionConfig& config, const RecurrentDims& layer) {
  attention_ = register_module(
      "attention", build(*config.attention, CellAttentionConfig::attention_dims(layer)));
  own_ = layout_.block("attention", attention_->layout());
}

CellState CellAttention::read(const Tensor& x, const CellState& last, const Tensor& positions,
                              StateView state, Attended& attended) {
  const Tensor& before = state.has(hidden_) ? state.get(hidden_) : torch::zeros_like(last.hidden);
  const Tensor key = last.hidden.unsqueeze(1),
               value =
                   last.cell.defined() ? torch::cat({last.hidden, last.cell}, 1).unsqueeze(1) : key;
  attended = attention_->attend_past(key, value, torch::cat({x, before}, 1).unsqueeze(1), positions,
                                     state[own_]);
  const auto states = attended.context.squeeze(1).chunk(last.cell.defined() ? 2 : 1, 1);
  change_weights(attended, of_tokens);
  state.put(hidden_, states.front());
  return {states.front(), last.cell.defined() ? states.back() : Tensor()};
}

CellAttentionSteps::CellAttentionSteps(CellAttention& attention, const Tensor& input,
                                       const Pass& pass)
    : attention_(attention),
      state_(attention.layout(), input.size(0), pass.fork(), input.device()) {}

StateReader CellAttentionSteps::reader() {
  return [this](int64_t t, const Tensor& x, const CellState& last) {
    const Tensor positions = torch::full({x.size(0), 1}, t, state_.positions.options());
    return attention_.read(x, last, positions, state_.view(), steps_.emplace_back());
  };
}

Attended CellAttentionSteps::attended(const Tensor& lengths) const {
  Attended joined = join_queries(steps_);
  const Tensor open = length_mask(lengths, size()).unsqueeze(1);  // [R,1,S]
  change_weights(joined, [&](const Tensor& weights) {
    return weights * (open.unsqueeze(2) & open.unsqueeze(3));
  });
  return joined;
}

Attended turned_by(Attended attended, const Tensor& positions) {
  const Tensor index = positions.unsqueeze(1);  // [R,1,S]
  change_weights(attended, [&](const Tensor& weights) {
    return weights.take_along_dim(index.unsqueeze(3), 2).take_along_dim(index.unsqueeze(2), 3);
  });
  for (SideLoss& loss : attended.losses) loss.value = loss.value.gather(1, positions);
  return attended;
}

}  // namespace heed
