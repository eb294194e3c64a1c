// Attention of linear cost by its definitions, here in the quadratic form, one head: queries [T,d],
// keys [S,d], values [S,V], contexts [T,V]. A causal mask makes each the causal one. Where nothing
// may be read the context is 0.
#pragma once

#include <algorithm>

#include "reference/attention.h"
#include "reference/scores.h"

namespace reference {

// Katharopoulos et al. 2020, equation 7: φ(x) = elu(x) + 1.
inline Vector elu_features(const Vector& x) {
  Vector phi(x);
  for (double& v : phi) v = elu(v) + 1;
  return phi;
}
// Choromanski et al. 2021 (Performer), equation 5 and lemma 1, positive features of softmax:
// φ_r(x) = exp(w_r·x' - |x'|²/2) / √m, x' = x / d^(1/4); projections [m,d].
inline Vector performer_features(const Vector& x, const Matrix& projections) {
  Vector scaled(x);
  for (double& v : scaled) v /= std::pow(static_cast<double>(x.size()), 0.25);
  Vector phi = product(projections, scaled);
  for (double& v : phi) {
    v = std::exp(v - dot(scaled, scaled) / 2) / std::sqrt(static_cast<double>(projections.rows));
  }
  return phi;
}
// Katharopoulos et al. 2020, equation 5: Σ_j φ(q_i)·φ(k_j) v_j / Σ_j φ(q_i)·φ(k_j) over what may be
// read.
template <class Features>
Matrix kernel_attention(const Matrix& queries, const Matrix& keys, const Matrix& values,
                        const Mask& mask, const Features& features) {
  Matrix weights(queries.rows, keys.rows);
  for (size_t i = 0; i < queries.rows; ++i) {
    double total = 0;
    for (size_t j = 0; j < keys.rows; ++j) {
      if (!mask.at(i).at(j)) continue;
      total += weights(i, j) = dot(features(queries.row(i)), features(keys.row(j)));
    }
    for (size_t j = 0; j < keys.rows && total > 0; ++j) weights(i, j) /= total;
  }
  return weighted_sum(weights, values);
}
inline Matrix elu_attention(const Matrix& queries, const Matrix& keys, const Matrix& values,
                            const Mask& mask) {
  return kernel_attention(queries, keys, values, mask, elu_features);
}
inline Matrix performer_attention(const Matrix& queries, const Matrix& keys, const Matrix& values,
                                  const Mask& mask, const Matrix& projections) {
  return kernel_attention(queries, keys, values, mask,
                          [&](const Vector& x) { return performer_features(x, projections); });
}

// Column by column: [S,d] -> [d,S].
inline Matrix transposed(const Matrix& x) {
  Matrix y(x.columns, x.rows);
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t j = 0; j < x.columns; ++j) y(j, i) = x(i, j);
  }
  return y;
}
// Shen et al. 2019 (efficient attention), section 3.2, softmax normalisation:
// Σ_d ρ_q(q_i)_d Σ_j ρ_k(K)_{j,d} v_j, ρ_q the softmax over the features of the query, ρ_k the
// softmax over the positions of what that query may read, a feature at a time.
inline Matrix efficient_attention(const Matrix& queries, const Matrix& keys, const Matrix& values,
                                  const Mask& mask) {
  const Matrix of_query =
      softmax(queries, Mask(queries.rows, std::vector<bool>(keys.columns, true)));
  Matrix contexts(queries.rows, values.columns);
  for (size_t i = 0; i < queries.rows; ++i) {
    const Matrix of_keys = softmax(transposed(keys), Mask(keys.columns, mask.at(i)));  // [d,S]
    const Matrix global = weighted_sum(of_keys, values);                               // [d,V]
    for (size_t d = 0; d < keys.columns; ++d) {
      for (size_t v = 0; v < values.columns; ++v) contexts(i, v) += of_query(i, d) * global(d, v);
    }
  }
  return contexts;
}

// Wang et al. 2020 (Linformer), section 4: E X, of E [k,S_max] the first S columns, what may not be
// read taken as 0; [S,W] -> [k,W].
inline Matrix project_positions(const Matrix& e, const Matrix& x,
                                const std::vector<bool>& readable) {
  Matrix y(e.rows, x.columns);
  for (size_t r = 0; r < e.rows; ++r) {
    for (size_t s = 0; s < x.rows; ++s) {
      for (size_t j = 0; j < x.columns && readable.at(s); ++j) y(r, j) += e(r, s) * x(s, j);
    }
  }
  return y;
}
// Wang et al. 2020 (Linformer), equation 7: softmax(Q (E K)ᵀ / √d) (F V), the softmax over all k
// projected positions.
inline Matrix linformer_attention(const Matrix& queries, const Matrix& keys, const Matrix& values,
                                  const std::vector<bool>& readable, const Matrix& e,
                                  const Matrix& f) {
  const Matrix slots = project_positions(e, keys, readable);
  const Mask all(queries.rows, std::vector<bool>(e.rows, true));
  return weighted_sum(softmax(scores(queries, slots, scaled_dot_score), all),
                      project_positions(f, values, readable));
}

}  // namespace reference
