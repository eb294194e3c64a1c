// The convolutional sequence model of Gehring et al. 2017 by its definitions; one sentence [T,W].
#pragma once

#include "reference/attention.h"

namespace reference {

using Kernel = std::vector<Matrix>;  // [K] of [out,in], the leftmost position first

// Gehring et al. 2017, section 3.2, after Dauphin et al. 2017, equation 1: a ⊙ sigmoid(b), [a; b]
// the halves of x.
inline Vector glu(const Vector& x) {
  Vector y(x.size() / 2);
  for (size_t i = 0; i < y.size(); ++i) y[i] = x[i] * sigmoid(x[y.size() + i]);
  return y;
}

// Salimans and Kingma 2016, equation 2: w = g v / ||v||, an output at a time, the norm over all
// inputs and positions; g [out].
inline Kernel weight_norm(const Kernel& v, const Vector& g) {
  Kernel w(v);
  for (size_t out = 0; out < g.size(); ++out) {
    double square = 0;
    for (const Matrix& at : v) square += dot(at.row(out), at.row(out));
    for (Matrix& at : w) {
      for (size_t in = 0; in < at.columns; ++in) at(out, in) *= g[out] / std::sqrt(square);
    }
  }
  return w;
}

// A convolution that keeps the length, zeros outside: position t sees t-(K-1)/2 … t+(K-1)/2, K odd,
// or, causal, t-K+1 … t.
inline Matrix convolve(const Matrix& x, const Kernel& w, const Vector& b, bool causal) {
  if (!causal && w.size() % 2 == 0) throw std::invalid_argument("a centred kernel is odd");
  const size_t before = causal ? w.size() - 1 : (w.size() - 1) / 2;
  Matrix y(x.rows, w.at(0).rows);
  for (size_t t = 0; t < x.rows; ++t) {
    Vector out = b.empty() ? Vector(y.columns, 0.0) : b;
    for (size_t k = 0; k < w.size(); ++k) {
      if (t + k < before || t + k - before >= x.rows) continue;
      out = sum(out, product(w[k], x.row(t + k - before)));
    }
    y.set_row(t, out);
  }
  return y;
}

// Gehring et al. 2017, sections 3.2 and 3.4, one block: (GLU(conv(x) + b) + x) √0.5; w [2W,W].
inline Matrix convolution_block(const Matrix& x, const Kernel& w, const Vector& b, bool causal) {
  Matrix y = each_row(convolve(x, w, b, causal), glu);
  for (size_t i = 0; i < y.numbers.size(); ++i) {
    y.numbers[i] = (y.numbers[i] + x.numbers.at(i)) * std::sqrt(0.5);
  }
  return y;
}

// Gehring et al. 2017, equation 1: d_i = W_d h_i + b_d + g_i; states h and targets g [T,W].
inline Matrix decoder_summary(const Matrix& states, const Matrix& targets, const Matrix& w,
                              const Vector& b) {
  Matrix d = affine(w, b, states);
  for (size_t i = 0; i < d.rows; ++i) d.set_row(i, sum(d.row(i), targets.row(i)));
  return d;
}
// Gehring et al. 2017, section 3.3 and equation 2, the attention of one layer:
// a_ij = softmax_j(d_i·z_j), c_i = Σ_j a_ij (z_j + e_j); outputs z and embeddings e [S,W].
struct ConvolutionAttention {
  Matrix weights, contexts;
};
inline ConvolutionAttention convolution_attention(const Matrix& summaries, const Matrix& outputs,
                                                  const Matrix& embeddings, const Mask& mask) {
  Matrix values(outputs);
  for (size_t j = 0; j < values.rows; ++j) {
    values.set_row(j, sum(outputs.row(j), embeddings.row(j)));
  }
  ConvolutionAttention result;
  result.weights = softmax(scores(summaries, outputs, dot_score), mask);
  result.contexts = weighted_sum(result.weights, values);
  return result;
}

// Wu et al. 2019, equations 3 to 6: y_i,c = Σ_j softmax(w)_h,j x_(i+j-before),c for a feature c of
// head h, 0 outside of the sentence. logits: w of each position, [H,K]. causal: the last weight
// belongs to the own position, else the middle one.
inline Matrix lightweight_convolution(const Matrix& x, const std::vector<Matrix>& logits,
                                      bool causal) {
  Matrix y(logits.size(), x.columns);
  for (size_t i = 0; i < logits.size(); ++i) {
    const Matrix& w = logits[i];
    const Matrix a = softmax(w, Mask(w.rows, std::vector<bool>(w.columns, true)));
    const size_t before = causal ? w.columns - 1 : (w.columns - 1) / 2;
    for (size_t c = 0; c < x.columns; ++c) {
      const size_t head = c * w.rows / x.columns;
      for (size_t j = 0; j < w.columns; ++j) {
        if (i + j >= before && i + j - before < x.rows)
          y(i, c) += a(head, j) * x(i + j - before, c);
      }
    }
  }
  return y;
}

}  // namespace reference
