// Recurrent cells: rnn (tanh), lstm, gru, with the equations and the order of gates of PyTorch's
// modules, so that the two can be compared weight by weight.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nn/gradient_sum.h"
#include "nn/layer_config.h"
#include "nn/module.h"
#include "nn/pass.h"
#include "nn/step_linear.h"
#include "nn/tensor.h"

namespace heed {

struct CellState {
  Tensor hidden;  // [R,W]
  Tensor cell;    // [R,W] of an LSTM, else undefined
  // Summand of the next c' of an LSTM, from another memory; undefined: none.
  Tensor added{};  // [R,W]
};

// The weights of one cell: x [R,I], state [R,W] → state.
//   rnn:  h' = tanh(W x + U h + b)
//   lstm: i, f, o = σ(W x + U h + b), g = tanh(W x + U h + b); c' = f c + i g; h' = o tanh(c')
//         order of the gates: i, f, g, o
//   gru:  r, z = σ(W x + U h + b), n = tanh(W x + b + r (U h + b')); h' = (1 - z) n + z h
//         order of the gates: r, z, n
//         with Reset::kBefore n = tanh(W x + b + U (r h) + b') (Cho et al. 2014; Bahdanau et al. 2015,
//         appendix A.1.1, whose z is 1 - z here)
// With layer norm W x, U h and the c' inside tanh are normalised, over all gates together; in a gru
// r and z together and n by itself (Ba et al. 2016, supplementary material). With
// CellNorm::kTogether W x and U h are, over all gates together in a gru too, and c' is not (Marian); not
// for Reset::kBefore. A cell without input, I = 0, has no W x; the b beside it stays.
class RecurrentCell final : public Module {
 public:
  RecurrentCell(CellKind kind, int64_t input, int64_t width, CellNorm norm,
                Reset reset = Reset::kAfter);
  CellState zeros(int64_t rows, const Tensor& like) const;
  CellKind kind() const { return kind_; }
  int64_t width() const { return width_; }

 private:
  friend class UnrolledCell;
  void open_forget_gate();
  Tensor normed(const Tensor& gates, const Tensor& gain) const;
  bool resets_before() const { return kind_ == CellKind::kGru && reset_ == Reset::kBefore; }

  CellKind kind_;
  CellNorm norm_;
  Reset reset_;
  int64_t width_;
  Tensor weight_input_, weight_hidden_;  // [G,W,I], [G,W,W]
  Tensor bias_input_, bias_hidden_;      // [G·W]
  // Gains; undefined without layer norm.
  Tensor norm_input_, norm_hidden_, norm_cell_, norm_cell_bias_;
};

// Number of times that a cell computes each time step.
enum class StepUse { kOnce, kOften };

// Applies a cell to the time steps of a batch. Inputs that are known in advance are multiplied with
// their weights in one product over all steps; the other inputs step by step.
class UnrolledCell {
 public:
  // known [R,T,K]: the first K columns of the inputs; undefined: none, as for a cell without input
  explicit UnrolledCell(const RecurrentCell& cell, const Tensor& known = {},
                        StepUse use = StepUse::kOnce);
  // rest [R,I-K]: the other columns of the input of step t; undefined where K = I
  // mask [R,W]: dropout of the h in the products U h (Gal and Ghahramani 2016); undefined: none
  CellState step(int64_t t, const Tensor& rest, const CellState& state,
                 const Tensor& mask = {}) const;

 private:
  CellState lstm_step(int64_t t, const Tensor& rest, const CellState& state) const;
  Tensor gru_step(const Tensor& input, const Tensor& hidden, const Tensor& before) const;
  Tensor input_part(int64_t t, const Tensor& rest) const;  // [R,G·W]; without input [1,G·W]
  Tensor state_part(const Tensor& hidden) const;           // [R,G·W]; resets_before(): r and z
  Tensor candidate_part(const Tensor& reset) const;        // of r ∘ h, resets_before().  [R,W]
  static RoundedGradientPointer gate_gradient(const RecurrentCell& cell);

  const RecurrentCell& cell_;
  std::vector<Tensor> known_;             // T × [R,G·W]
  GradientSumPointer known_gradients_;    // of all of them
  RoundedGradientPointer gate_gradient_;  // of the next two; null: not the same
  std::optional<StepLinear> by_rest_;     // none without input
  StepLinear by_hidden_;
  std::optional<StepLinear> by_reset_;  // the rows of n, resets_before()
};

}  // namespace heed
