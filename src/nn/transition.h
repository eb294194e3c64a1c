// The transition of a recurrent layer: the cells that it applies one after the other within a time
// step (Pascanu et al. 2014, "How to Construct Deep Recurrent Neural Networks").
//   u_1 = cell_1(x_1, s_{t-1}); u_i = cell_i(x_i, u_{i-1}); s_t = u_N
// Hidden state and, of an LSTM, cell state go from one cell to the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/recurrent.h"

namespace heed {

struct CellForm {
  CellKind kind = CellKind::kLstm;
  int64_t width = 0;  // of the states
  bool layer_norm = false;
};

class Transition {
 public:
  // inputs: the width of the input of each cell. The cells are modules of `owner`: name,
  // name_cell_2, name_cell_3, …
  Transition(Module& owner, const std::string& name, const CellForm& form,
             const std::vector<int64_t>& inputs);
  CellState zeros(int64_t rows, const Tensor& like) const;

 private:
  friend class TransitionWalk;
  std::vector<std::shared_ptr<RecurrentCell>> cells_;
};

// Applies a transition to the time steps of a batch.
class TransitionWalk {
 public:
  // known: CellWalk's, of the first cell
  explicit TransitionWalk(const Transition& transition, const Tensor& known = {});
  // The first cell; t, rest and state are CellWalk's.
  CellState begin(int64_t t, const Tensor& rest, const CellState& state) const;
  // The other cells.  input [R,I] of the second one
  CellState finish(const Tensor& input, CellState state) const;
  // All cells, of which only the first has an input.
  CellState step(int64_t t, const Tensor& rest, const CellState& state) const;

 private:
  std::vector<CellWalk> walks_;
};

}  // namespace heed
