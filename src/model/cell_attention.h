// Attention of a recurrent layer to its own past states, which takes the place of its last state in
// the cell (Cheng, Dong and Lapata 2016, "Long Short-Term Memory-Networks for Machine Reading",
// equations 5 to 7 and 11). The states s_0 … s_{t-1} are on two tapes, hidden states h and, of an
// LSTM, memories c:
//   a_i^t = vᵀ tanh(W_h h_i + W_x x_t + W_h~ h~_{t-1}),  s^t = softmax(a^t)
//   [h~_t; c~_t] = Σ_i s_i^t [h_i; c_i]
// The cell then computes s_t from x_t, h~_t and c~_t. Any attention takes the place of this one: its
// query is [x_t; h~_{t-1}], its keys are h_i, its values [h_i; c_i]. s_0 is the initial state, as in
// the code of the authors, so that the tapes are never empty and a decoder reads the state of its
// encoder at every step.
#pragma once

#include <memory>
#include <vector>

#include "model/cell_attention_config.h"
#include "nn/attention/attention.h"
#include "nn/module.h"
#include "nn/transition.h"

namespace heed {

class CellAttention final : public Module {
 public:
  CellAttention(const CellAttentionConfig& config, const RecurrentDims& layer);
  // Appends the last state to the tapes and returns [h~; c~] for the input x [R,I] of the time step
  // at positions [R,1], which count from 0. `attended` gets the result of the attention, with
  // weights over the tokens before this one; the weight of s_0 is left out.
  CellState read(const Tensor& x, const CellState& last, const Tensor& positions, StateView state,
                 Attended& attended);

 private:
  std::shared_ptr<Attention> attention_;
  StateBlock own_;
  CarrySlot hidden_ = layout_.carry("hidden");  // h~ of the step before [R,W]
};

// The time steps of whole sentences, in an encoder.
class CellAttentionSteps {
 public:
  // input [R,S,I]: of the layer
  CellAttentionSteps(CellAttention& attention, const Tensor& input, const Pass& pass);
  StateReader reader();                                // for run_transition()
  int64_t size() const { return std::ssize(steps_); }  // S
  // The results of all steps, in their order. Positions after the lengths [R] have weight 0.
  Attended attended(const Tensor& lengths) const;

 private:
  CellAttention& attention_;
  State state_;
  std::vector<Attended> steps_;
};

// Weights [R,H,S,S] and losses [R,S] of a self-attention in the order of such positions [R,S].
Attended turned_by(Attended attended, const Tensor& positions);

}  // namespace heed
