// Attention by its definitions: scores, weights, read-out. One row (sentence) at a time; queries
// [T,W], keys [S,W], scores and weights [T,S].
#pragma once

#include <algorithm>

#include "reference/matrix.h"

namespace reference {

using Mask = std::vector<std::vector<bool>>;  // [T][S], true: may be read

template <class Score>
Matrix scores(const Matrix& queries, const Matrix& keys, const Score& score) {
  Matrix e(queries.rows, keys.rows);
  for (size_t t = 0; t < queries.rows; ++t) {
    for (size_t s = 0; s < keys.rows; ++s) e(t, s) = score(queries.row(t), keys.row(s));
  }
  return e;
}

// Luong et al. 2015, equation 8, dot: q·k.
inline double dot_score(const Vector& q, const Vector& k) { return dot(q, k); }
// Vaswani et al. 2017, equation 1: q·k / √d_k.
inline double scaled_dot_score(const Vector& q, const Vector& k) {
  return dot(q, k) / std::sqrt(static_cast<double>(k.size()));
}
// Luong et al. 2015, equation 8, general: qᵀ W k; w [query,key].
inline double general_score(const Vector& q, const Vector& k, const Matrix& w) {
  return dot(q, product(w, k));
}
// Luong et al. 2015, equation 8, concat: vᵀ tanh(W [q; k]); w [hidden,query+key].
inline double concat_score(const Vector& q, const Vector& k, const Matrix& w, const Vector& v) {
  Vector both = q;
  both.insert(both.end(), k.begin(), k.end());
  Vector hidden = product(w, both);
  for (double& h : hidden) h = std::tanh(h);
  return dot(v, hidden);
}
// Bahdanau et al. 2015, appendix A.1.2: vᵀ tanh(W q + U k), with a bias b.
inline double additive_score(const Vector& q, const Vector& k, const Matrix& w, const Matrix& u,
                             const Vector& b, const Vector& v) {
  Vector hidden = sum(affine(w, b, q), product(u, k));
  for (double& h : hidden) h = std::tanh(h);
  return dot(v, hidden);
}

// Bahdanau et al. 2015, equation 6, over what may be read; what may not has weight 0, and where
// nothing may be read all have.
inline Matrix softmax(const Matrix& e, const Mask& mask) {
  Matrix a(e.rows, e.columns);
  for (size_t t = 0; t < e.rows; ++t) {
    double highest = -INFINITY, total = 0;
    for (size_t s = 0; s < e.columns; ++s) {
      if (mask.at(t).at(s)) highest = std::max(highest, e(t, s));
    }
    for (size_t s = 0; s < e.columns; ++s) {
      if (mask[t][s]) total += a(t, s) = std::exp(e(t, s) - highest);
    }
    for (size_t s = 0; s < e.columns && total > 0; ++s) a(t, s) /= total;
  }
  return a;
}

// Bahdanau et al. 2015, equation 5: c = Σ_s a_s v_s.
inline Matrix weighted_sum(const Matrix& weights, const Matrix& values) {
  Matrix c(weights.rows, values.columns);
  for (size_t t = 0; t < weights.rows; ++t) {
    for (size_t s = 0; s < values.rows; ++s) {
      for (size_t j = 0; j < values.columns; ++j) c(t, j) += weights(t, s) * values(s, j);
    }
  }
  return c;
}

// Columns [head·D, (head+1)·D) of x, D = columns / heads.
inline Matrix head_of(const Matrix& x, size_t head, size_t heads) {
  const size_t width = x.columns / heads;
  Matrix y(x.rows, width);
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < width; ++j) y(i, j) = x(i, head * width + j);
  }
  return y;
}

// Vaswani et al. 2017, section 3.2.2: Concat(head_1 … head_h) of heads that each have their own
// scores and their part of the values; the projections W^Q, W^K, W^V and W^O stand outside.
struct MultiHead {
  Matrix joined;
  std::vector<Matrix> weights;  // a head
};
template <class ScoresOfHead>
MultiHead multi_head(size_t heads, const ScoresOfHead& scores_of, const Matrix& values,
                     const Mask& mask) {
  MultiHead result;
  result.joined = Matrix(mask.size(), values.columns);
  for (size_t h = 0; h < heads; ++h) {
    result.weights.push_back(softmax(scores_of(h), mask));
    const Matrix c = weighted_sum(result.weights.back(), head_of(values, h, heads));
    for (size_t t = 0; t < c.rows; ++t) {
      for (size_t j = 0; j < c.columns; ++j) result.joined(t, h * c.columns + j) = c(t, j);
    }
  }
  return result;
}

}  // namespace reference
