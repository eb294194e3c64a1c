// Replacements of a decoder's self-attention, by their definitions; one sentence [T,W].
#pragma once

#include <algorithm>

#include "reference/matrix.h"

namespace reference {

// Zhang et al. 2018 (AAN), section 3, the averages: g_j = FFN(1/j Σ_{k≤j} y_k), j from 1.
template <class Ffn>
Matrix cumulative_average(const Matrix& y, const Ffn& ffn) {
  Matrix mean(y.rows, y.columns);
  for (size_t j = 0; j < y.rows; ++j) {
    for (size_t k = 0; k <= j; ++k) {
      for (size_t d = 0; d < y.columns; ++d) mean(j, d) += y(k, d) / static_cast<double>(j + 1);
    }
  }
  return each_row(mean, ffn);
}
// Zhang et al. 2018 (AAN), section 3, the gates: [i; f] = sigmoid(W [y; g] + b), i ⊙ y + f ⊙ g;
// w [2W,2W].
inline Vector average_gate(const Vector& y, const Vector& g, const Matrix& w, const Vector& b) {
  Vector joined(y);
  joined.insert(joined.end(), g.begin(), g.end());
  const Vector gates = affine(w, b, joined);
  Vector h(y.size());
  for (size_t d = 0; d < h.size(); ++d) {
    h[d] = sigmoid(gates[d]) * y[d] + sigmoid(gates.at(h.size() + d)) * g.at(d);
  }
  return h;
}
// Zhang et al. 2018 (AAN), section 3, without the residual connection and the normalisation, which
// stand outside.
template <class Ffn>
Matrix average_attention(const Matrix& y, const Ffn& ffn, const Matrix& w, const Vector& b) {
  const Matrix g = cumulative_average(y, ffn);
  Matrix h(y.rows, y.columns);
  for (size_t j = 0; j < y.rows; ++j) h.set_row(j, average_gate(y.row(j), g.row(j), w, b));
  return h;
}

// Kim et al. 2019 (SSRU): f_t = sigmoid(W_f x_t + b_f), c_t = f_t ⊙ c_{t-1} + (1-f_t) ⊙ W x_t,
// c_0 = 0, the output relu(c_t); w and w_f [D,W].
inline Matrix ssru(const Matrix& x, const Matrix& w, const Matrix& w_f, const Vector& b_f) {
  Matrix out(x.rows, w.rows);
  Vector c(w.rows, 0.0);
  for (size_t t = 0; t < x.rows; ++t) {
    const Vector gates = affine(w_f, b_f, x.row(t)), input = product(w, x.row(t));
    for (size_t d = 0; d < c.size(); ++d) {
      const double f = sigmoid(gates.at(d));
      c[d] = f * c[d] + (1 - f) * input[d];
      out(t, d) = std::max(0.0, c[d]);
    }
  }
  return out;
}

}  // namespace reference
