// Recurrent cells and their application to a sequence, with the order of gates and the two biases
// of PyTorch's modules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/attention.h"
#include "reference/layers.h"
#include "reference/matrix.h"
#include "reference/readouts.h"

namespace reference {

struct Cell {
  std::string kind;                    // rnn, lstm, gru
  Matrix input{}, hidden{};            // [G·W,I], [G·W,W]; input: empty without input
  Vector input_bias{}, hidden_bias{};  // [G·W]
  Vector input_gain{}, hidden_gain{};  // [G·W]; empty without layer norm
  Vector cell_gain{}, cell_shift{};    // [W], LSTM with layer norm
  bool reset_before = false;           // GRU: U (r ∘ h) instead of r ∘ (U h)
  bool norm_together = false;          // layer norm of all gates of a GRU (Marian, rnn/cells.h)
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
// are normalised together, and those of its n separately. Marian normalises all together, with its own
// epsilon.
inline Vector gates_of(const Cell& cell, const Matrix& w, const Vector& gain, const Vector& bias,
                       const Vector& x) {
  Vector a = product(w, x);
  if (!gain.empty() && cell.norm_together) return sum(layer_norm(a, gain, {}, 1e-9), bias);
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
// Kiros and Hinton 2016, equations 20 to 22. Gates i, f, g, o. added: the first summand of equation
// 15 of Cheng et al. 2016; empty: none.
inline CellState lstm_step(const Cell& cell, const Vector& x, const Vector& u, const Vector& c,
                           const Vector& added = {}) {
  const size_t width = cell.width();
  CellState next{Vector(width), Vector(width)};
  for (size_t j = 0; j < width; ++j) {
    const double i = sigmoid(x[j] + u[j]);
    const double f = sigmoid(x[width + j] + u[width + j]);
    const double g = std::tanh(x[2 * width + j] + u[2 * width + j]);
    next.c[j] = f * c[j] + i * g + (added.empty() ? 0 : added[j]);
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
                      const Vector& mask = {}, const Vector& added = {}) {
  const Vector x = cell.input.rows == 0
                       ? cell.input_bias
                       : gates_of(cell, cell.input, cell.input_gain, cell.input_bias, input);
  const Vector read = mask.empty() ? state.h : times(state.h, mask);
  const Vector u = gates_of(cell, cell.hidden, cell.hidden_gain, cell.hidden_bias, read);
  if (cell.reset_before) return gru_step_reset_before(cell, x, u, read, state.h);
  if (cell.kind == "lstm") return lstm_step(cell, x, u, state.c, added);
  return cell.kind == "gru" ? gru_step(cell, x, u, state.h) : rnn_step(x, u);
}

// Applies several cells in sequence within a time step; only the first has an input. masks: those
// of all cells, joined; empty: none. added: to the memory of the first.
inline CellState step(const std::vector<Cell>& cells, const Vector& input, CellState state,
                      const Vector& masks = {}, const Vector& added = {}) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const size_t width = cells[i].width();
    state = step(cells[i], input, state,
                 masks.empty() ? masks : part(masks, i * width, (i + 1) * width),
                 i == 0 ? added : Vector());
  }
  return state;
}

// Unit of adaptive computation time, h = σ(wᵀ s + b).
struct HaltingUnit {
  Vector weight;
  double bias = 0;
  size_t most = 0;
  double epsilon = 0;
};
struct AdaptiveStep {
  CellState state;
  double ponder = 0;  // N + R
};

// Graves 2016, equations 1, 4 and 12 to 14: the cells with a flag behind their input; the hidden
// state and the memory are means.
inline AdaptiveStep adaptive_step(const std::vector<Cell>& cells, const Vector& input,
                                  CellState state, const HaltingUnit& unit,
                                  const Vector& masks = {}) {
  const size_t width = cells.at(0).width();
  const Adaptive adaptive = adaptive_computation(
      unit.most,
      [&](size_t n) {
        Vector x = input;
        x.push_back(n == 0 ? 1 : 0);
        state = step(cells, x, state, masks);
        Vector all = state.h;
        all.insert(all.end(), state.c.begin(), state.c.end());
        return std::pair(sigmoid(dot(unit.weight, state.h) + unit.bias), all);
      },
      unit.epsilon);
  return {{part(adaptive.output, 0, width), part(adaptive.output, width, adaptive.output.size())},
          adaptive.ponder};
}

// The tapes of an LSTMN (Cheng et al. 2016, equations 5 to 7) and the parameters of its attention.
// The first state is the initial one.
struct Tapes {
  Matrix by_query, by_key;  // [W_x W_h~], W_h
  Vector bias, v;
  std::vector<CellState> states{};
  Vector read{};                  // h~ of the step before; empty: zeros
  std::vector<Vector> weights{};  // s^t of each step, over the states so far

  // The state that a cell reads in place of `last`.
  CellState next(const Vector& x, const CellState& last) {
    states.push_back(last);
    Vector query = x;
    read.resize(last.h.size(), 0.0);
    query.insert(query.end(), read.begin(), read.end());
    Vector s;
    double total = 0;
    for (const CellState& state : states) {
      s.push_back(std::exp(additive_score(query, state.h, by_query, by_key, bias, v)));
      total += s.back();
    }
    CellState mean{Vector(last.h.size(), 0.0), Vector(last.c.size(), 0.0)};
    for (size_t i = 0; i < states.size(); ++i) {
      s[i] /= total;
      for (size_t d = 0; d < mean.h.size(); ++d) mean.h[d] += s[i] * states[i].h[d];
      for (size_t d = 0; d < mean.c.size(); ++d) mean.c[d] += s[i] * states[i].c[d];
    }
    weights.push_back(s);
    read = mean.h;
    return mean;
  }
};

// A recurrent layer in one direction: its cells, and what may be around them.
struct Layer {
  std::vector<Cell> cells;
  std::optional<HaltingUnit> halting{};
  std::optional<Tapes> tapes{};

  AdaptiveStep step(const Vector& x, CellState state, const Vector& masks = {},
                    const Vector& added = {}) {
    if (tapes) state = tapes->next(x, state);
    if (halting) return adaptive_step(cells, x, state, *halting, masks);
    return {reference::step(cells, x, state, masks, added), 0};
  }
};

struct Run {
  Matrix outputs;  // [S,W]; 0 after the length
  CellState last;  // after the last step
  Matrix cells{};  // [S,W] memories of an LSTM
  Vector ponder{};
  Matrix weights{};  // [S,S] of the tapes over the tokens before each token
};
// Reads the first `length` rows of x, forwards or backwards, from a state of zeros.
inline Run run(Layer layer, const Matrix& x, size_t length, bool backwards) {
  const size_t width = layer.cells.at(0).width();
  Run result{Matrix(x.rows, width),
             {Vector(width, 0.0), Vector(width, 0.0)},
             Matrix(x.rows, width),
             Vector(x.rows, 0.0),
             Matrix(x.rows, x.rows)};
  if (layer.cells[0].kind != "lstm") result.last.c.clear();
  const auto place = [&](size_t i) { return backwards ? length - 1 - i : i; };
  for (size_t i = 0; i < length; ++i) {
    const size_t s = place(i);
    const AdaptiveStep step = layer.step(x.row(s), result.last);
    result.last = step.state;
    result.ponder[s] = step.ponder;
    result.outputs.set_row(s, result.last.h);
    if (!result.last.c.empty()) result.cells.set_row(s, result.last.c);
    for (size_t j = 0; layer.tapes && j < i; ++j)
      result.weights(s, place(j)) = layer.tapes->weights[i][j + 1];
  }
  return result;
}
inline Run run(const std::vector<Cell>& cells, const Matrix& x, size_t length, bool backwards) {
  return run(Layer{cells}, x, length, backwards);
}

}  // namespace reference
