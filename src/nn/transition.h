// Transition of a recurrent layer: the cells that it applies one after the other within a time step
// (Pascanu et al. 2014, "How to Construct Deep Recurrent Neural Networks"; Miceli Barone et al.
// 2017, "Deep Architectures for Neural Machine Translation").
//   u_1 = cell_1(x_t, s_{t-1}); u_k = cell_k(u_{k-1}) for 1 < k <= N; s_t = u_N
// Only the first cell has an input; in a conditional decoder the second cell has one too,
// u_2 = cell_2(c_t, u_1). Each cell passes its hidden state and, in an LSTM, its cell state to the
// next.
// With adaptive computation time (halting.h) the cells are applied N(t) times in a time step:
//   s_t^n = cells([x_t; δ_{n,1}], s_t^{n-1}), s_t^0 = s_{t-1};  s_t = Σ_n p_t^n s_t^n
// where the first cell also reads the flag δ, 1 in the first round and 0 in the others, and an LSTM
// averages its hidden state and its cell state (Graves 2016, equations 1, 4 and 12 to 14).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nn/halting.h"
#include "nn/recurrent.h"

namespace heed {

struct CellForm {
  CellKind kind = CellKind::kLstm;
  int64_t width = 0;  // of the states
  CellNorm norm = CellNorm::kNone;
  Reset reset = Reset::kAfter;  // of a GRU
  std::optional<HaltingSettings> adaptive{};
};

class Transition {
 public:
  // inputs: width of the input of each cell, without the flag; 0 without an input. The cells are
  // modules of `owner`: name, name_cell_2, name_cell_3, …; its halting unit is name_halt.
  Transition(Module& owner, const std::string& name, const CellForm& form,
             const std::vector<int64_t>& inputs);
  // A transition of one cell.
  explicit Transition(std::shared_ptr<RecurrentCell> cell) : cells_({std::move(cell)}) {}
  int64_t cells() const { return std::ssize(cells_); }  // N
  int64_t width() const { return cells_.front()->width(); }
  CellState zeros(int64_t rows, const Tensor& like) const;

 private:
  friend class UnrolledTransition;
  std::vector<std::shared_ptr<RecurrentCell>> cells_;
  Halting halting_;
};

// Applies a transition to the time steps of a batch.
class UnrolledTransition {
 public:
  // known: as in UnrolledCell, for the first cell
  explicit UnrolledTransition(const Transition& transition, const Tensor& known = {});
  // Applies the first cell; t, rest and state as in UnrolledCell. masks [R,N·W]: those of
  // UnrolledCell for all cells; undefined: none.
  CellState begin(int64_t t, const Tensor& rest, const CellState& state,
                  const Tensor& masks = {}) const;
  // Applies the other cells.  input [R,I] of the second cell; undefined: no input
  CellState finish(const Tensor& input, CellState state, const Tensor& masks = {}) const;
  // Applies all cells, of which only the first has an input; with adaptive computation time in
  // several rounds.
  CellState step(int64_t t, const Tensor& rest, const CellState& state, const Tensor& masks = {});
  // Ponder cost of the steps so far; undefined without adaptive computation time.  [R,T]
  Tensor ponder() const;

 private:
  CellState adaptive_step(int64_t t, const Tensor& rest, CellState state, const Tensor& masks);

  std::vector<UnrolledCell> cells_;
  const Halting& halting_;
  std::vector<Tensor> ponder_;  // T × [R]
};

// Result of a transition over x [R,S,I], from the first position to the last, or from each row's
// last position to its first.
struct CellRun {
  Tensor outputs;         // [R,S,W]; 0 after each row's length
  CellState final_state;  // after each row's last step; 0 for an empty row
  Tensor cells;           // [R,S,W] cell states, as the outputs; undefined if not kept
  Tensor ponder;          // [R,S] ponder cost; undefined without adaptive computation time
};
// Replaces the state that step t reads.  x [R,I]: the input of the step
using StateReader = std::function<CellState(int64_t t, const Tensor& x, const CellState& state)>;
struct TransitionOptions {
  bool backwards = false;
  // One mask of each cell for all steps, applied to the hidden state that the cell reads (Gal and
  // Ghahramani 2016).
  double variational_dropout = 0;
  bool keeps_cells = false;
  StateReader reads{};  // none: each step reads the state of the step before
};
CellRun run_transition(const Transition& transition, const Tensor& x, const Tensor& lengths,
                       const TransitionOptions& options, const Pass& pass);

// [R,S] positions that reverse each row up to its length and keep the padding. This order is its
// own inverse.
Tensor reversal(const Tensor& lengths, int64_t size);
// x [R,S,W] in the order of such positions. The gradient relies on the order being its own inverse.
Tensor turned_by(const Tensor& x, const Tensor& positions);

}  // namespace heed
