// Recurrent cells and their application to a sequence, with the order of gates and the two biases
// of PyTorch's modules.
#pragma once

#include <string>
#include <vector>

#include "reference/layers.h"
#include "reference/matrix.h"

namespace reference {

struct Cell {
  std::string kind;                    // rnn, lstm, gru
  Matrix input{}, hidden{};            // [G·W,I], [G·W,W]; input: empty without input
  Vector input_bias{}, hidden_bias{};  // [G·W]
  Vector input_gain{}, hidden_gain{};  // [G·W]; empty without layer norm
  Vector cell_gain{}, cell_shift{};    // [W], LSTM with layer norm
  bool reset_before = false;           // GRU: U (r ∘ h) instead of r ∘ (U h)
  size_t width() const { return hidden.columns; }
};
struct CellState {
  Vector h, c;
};

inline Vector part(const Vector& x, size_t begin, size_t end) {
  return {x.begin() + static_cast<long>(begin), x.begin() + static_cast<long>(end)};
}

// Contribution of x to the gates: W x + b, with layer norm LN(W x; gain) + b. Ba, Kiros and Hinton
// 2016 normalise the sums of all gates of an LSTM together (equation 20); those of a GRU's r and z
// are normalised together, and those of its n separately.
inline Vector gates_of(const Cell& cell, const Matrix& w, const Vector& gain, const Vector& bias,
                       const Vector& x) {
  Vector a = product(w, x);
  if (!gain.empty() && cell.kind != "gru") a = layer_norm(a, gain, {});
  if (!gain.empty() && cell.kind == "gru") {
    const size_t gates = 2 * cell.width(), all = a.size();
    Vector normed = layer_norm(part(a, 0, gates), part(gain, 0, gates), {});
    for (const double n : layer_norm(part(a, gates, all), part(gain, gates, all), {})) {
      normed.push_back(n);
    }
    a = normed;
  }
  return sum(a, bias);
}

// Elman 1990: h' = tanh(W x + U h + b).
inline CellState rnn_step(const Vector& x, const Vector& u) {
  CellState next{x, {}};
  for (size_t j = 0; j < x.size(); ++j) next.h[j] = std::tanh(x[j] + u[j]);
  return next;
}

// Hochreiter and Schmidhuber 1997 with the forget gate of Gers et al. 2000; with layer norm Ba,
// Kiros and Hinton 2016, equations 20 to 22. Gates i, f, g, o.
inline CellState lstm_step(const Cell& cell, const Vector& x, const Vector& u, const Vector& c) {
  const size_t width = cell.width();
  CellState next{Vector(width), Vector(width)};
  for (size_t j = 0; j < width; ++j) {
    const double i = sigmoid(x[j] + u[j]);
    const double f = sigmoid(x[width + j] + u[width + j]);
    const double g = std::tanh(x[2 * width + j] + u[2 * width + j]);
    next.c[j] = f * c[j] + i * g;
  }
  const Vector shown =
      cell.cell_gain.empty() ? next.c : layer_norm(next.c, cell.cell_gain, cell.cell_shift);
  for (size_t j = 0; j < width; ++j) {
    const double o = sigmoid(x[3 * width + j] + u[3 * width + j]);
    next.h[j] = o * std::tanh(shown[j]);
  }
  return next;
}

// Cho et al. 2014, equations 5 to 8, in the form that PyTorch documents: the reset gate multiplies
// U h + b. Gates r, z, n.
inline CellState gru_step(const Cell& cell, const Vector& x, const Vector& u, const Vector& h) {
  const size_t width = cell.width();
  CellState next{Vector(width), {}};
  for (size_t j = 0; j < width; ++j) {
    const double r = sigmoid(x[j] + u[j]);
    const double z = sigmoid(x[width + j] + u[width + j]);
    const double n = std::tanh(x[2 * width + j] + r * u[2 * width + j]);
    next.h[j] = (1 - z) * n + z * h[j];
  }
  return next;
}

// Cho et al. 2014, equations 5 to 8, as they are, and Bahdanau et al. 2015, appendix A.1.1: the reset
// gate multiplies the state that U reads. read: the state in the products.
inline CellState gru_step_reset_before(const Cell& cell, const Vector& x, const Vector& u,
                                       const Vector& read, const Vector& h) {
  const size_t width = cell.width();
  Vector kept(width);
  for (size_t j = 0; j < width; ++j) kept[j] = sigmoid(x[j] + u[j]) * read[j];
  const Vector of_kept = gates_of(cell, cell.hidden, cell.hidden_gain, cell.hidden_bias, kept);
  CellState next{Vector(width), {}};
  for (size_t j = 0; j < width; ++j) {
    const double z = sigmoid(x[width + j] + u[width + j]);
    const double n = std::tanh(x[2 * width + j] + of_kept[2 * width + j]);
    next.h[j] = (1 - z) * n + z * h[j];
  }
  return next;
}

// A cell without input adds only the bias (Miceli Barone et al. 2017). mask: dropout of the state
// in the products, but not in z h (Gal and Ghahramani 2016); empty: none.
inline CellState step(const Cell& cell, const Vector& input, const CellState& state,
                      const Vector& mask = {}) {
  const Vector x = cell.input.rows == 0
                       ? cell.input_bias
                       : gates_of(cell, cell.input, cell.input_gain, cell.input_bias, input);
  const Vector read = mask.empty() ? state.h : times(state.h, mask);
  const Vector u = gates_of(cell, cell.hidden, cell.hidden_gain, cell.hidden_bias, read);
  if (cell.reset_before) return gru_step_reset_before(cell, x, u, read, state.h);
  if (cell.kind == "lstm") return lstm_step(cell, x, u, state.c);
  return cell.kind == "gru" ? gru_step(cell, x, u, state.h) : rnn_step(x, u);
}

// Applies several cells in sequence within a time step; only the first has an input. masks: those
// of all cells, joined; empty: none.
inline CellState step(const std::vector<Cell>& cells, const Vector& input, CellState state,
                      const Vector& masks = {}) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const size_t width = cells[i].width();
    state = step(cells[i], input, state,
                 masks.empty() ? masks : part(masks, i * width, (i + 1) * width));
  }
  return state;
}

struct Run {
  Matrix outputs;  // [S,W]; 0 after the length
  CellState last;  // after the last step
};
// Reads the first `length` rows of x, forwards or backwards, from a state of zeros.
inline Run run(const std::vector<Cell>& cells, const Matrix& x, size_t length, bool backwards) {
  const size_t width = cells.at(0).width();
  Run result{Matrix(x.rows, width), {Vector(width, 0.0), Vector(width, 0.0)}};
  for (size_t i = 0; i < length; ++i) {
    const size_t s = backwards ? length - 1 - i : i;
    result.last = step(cells, x.row(s), result.last);
    result.outputs.set_row(s, result.last.h);
  }
  return result;
}

}  // namespace reference
