// Replacements of a decoder's self-attention, by their definitions; one sentence [T,W].
#pragma once

#include <algorithm>

#include "reference/attention.h"
#include "reference/layers.h"

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

// Sun et al. 2023 (RetNet), equation 5, one head, as pairs of positions: γ^(n-m) Re(q_n conj(k_m)
// e^(i(n-m)θ)) for m ≤ n, where the features 2i and 2i+1 are a complex number; without rotation
// θ = 0. The authors' code has θ_i = 10000^(-i/(d/2-1)) for d/2 numbers.
inline Matrix retention_scores(const Matrix& q, const Matrix& k, double gamma, bool rotary) {
  Matrix s(q.rows, k.rows);
  for (size_t n = 0; n < q.rows; ++n) {
    for (size_t m = 0; m <= n; ++m) {
      const auto away = static_cast<double>(n - m);
      if (!rotary) {
        s(n, m) = std::pow(gamma, away) * dot(q.row(n), k.row(m));
        continue;
      }
      const size_t pairs = q.columns / 2;
      for (size_t i = 0; i < pairs; ++i) {
        const double power =
            pairs == 1 ? 0 : static_cast<double>(i) / static_cast<double>(pairs - 1);
        const double angle = away * std::pow(10000.0, -power);
        const double a = q(n, 2 * i), b = q(n, 2 * i + 1), c = k(m, 2 * i), d = k(m, 2 * i + 1);
        s(n, m) += std::pow(gamma, away) *
                   ((a * c + b * d) * std::cos(angle) + (a * d - b * c) * std::sin(angle));
      }
    }
  }
  return s;
}
// Yang et al. 2024 (GLA), section 4.1, one head, as pairs of positions: Σ_d q_id k_jd
// Π_{l=j+1..i} α_ld for j ≤ i.
inline Matrix gated_scores(const Matrix& q, const Matrix& k, const Matrix& alpha) {
  Matrix s(q.rows, k.rows);
  for (size_t i = 0; i < q.rows; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      for (size_t d = 0; d < q.columns; ++d) {
        double kept = 1;
        for (size_t l = j + 1; l <= i; ++l) kept *= alpha(l, d);
        s(i, j) += q(i, d) * k(j, d) * kept;
      }
    }
  }
  return s;
}
// Yang et al. 2024 (GLA), section 4.4, the output of a layer: W_O (swish(W_R x + b_R) ⊙ [norm(o)]),
// with RMSNorm of each head; contexts o [T,W] of all heads.
inline Matrix gated_output(const Matrix& x, const Matrix& contexts, size_t heads,
                           const Vector& gains, const Matrix& w_r, const Vector& b_r,
                           const Matrix& w_o) {
  Matrix gated(contexts.rows, contexts.columns);
  const size_t width = contexts.columns / heads;
  for (size_t t = 0; t < x.rows; ++t) {
    const Vector gate = affine(w_r, b_r, x.row(t));
    for (size_t h = 0; h < heads; ++h) {
      const Vector normed = rms_norm(head_of(contexts, h, heads).row(t), gains);
      for (size_t i = 0; i < width; ++i) {
        const double r = gate.at(h * width + i);
        gated(t, h * width + i) = r * sigmoid(r) * normed[i];
      }
    }
  }
  return affine(w_o, {}, gated);
}

}  // namespace reference
