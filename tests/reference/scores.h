// Further scores of attention by their definitions, beside those of attention.h: what one query q
// and one key k give, and, where positions count, i of the query and j of the key, both from 0.
#pragma once

#include <algorithm>

#include "reference/attention.h"

namespace reference {

// Graves et al. 2014 (NTM), equation 6: q·k / (|q| |k|); 0 where a norm is 0.
inline double cosine(const Vector& q, const Vector& k) {
  const double norms = std::sqrt(dot(q, q)) * std::sqrt(dot(k, k));
  return norms > 0 ? dot(q, k) / norms : 0;
}
// Graves et al. 2014 (NTM), equations 5 and 6: the cosine with the key strength β.
inline double cosine_score(const Vector& q, const Vector& k, double beta) {
  return beta * cosine(q, k);
}

// Chorowski et al. 2015, equation 8: f = F * α, as a cross-correlation that is centred on the
// position: f_{s,c} = Σ_j F[c,j] α[s + j - (K-1)/2], α zero outside; filters [n,K] -> [S,n].
inline Matrix convolve_weights(const Vector& previous, const Matrix& filters) {
  if (filters.columns % 2 == 0) throw std::invalid_argument("a centred filter has an odd width");
  Matrix f(previous.size(), filters.rows);
  for (size_t s = 0; s < f.rows; ++s) {
    for (size_t c = 0; c < f.columns; ++c) {
      for (size_t j = 0; j < filters.columns; ++j) {
        const size_t shifted = s + j, half = (filters.columns - 1) / 2;
        if (shifted < half || shifted - half >= previous.size()) continue;
        f(s, c) += filters(c, j) * previous[shifted - half];
      }
    }
  }
  return f;
}
// See et al. 2017, equation 10: c = Σ_{t' < t} a_{t'}; weights [T,S].
inline Vector coverage(const Matrix& weights, size_t t) {
  Vector c(weights.columns, 0.0);
  for (size_t earlier = 0; earlier < t; ++earlier) c = sum(c, weights.row(earlier));
  return c;
}
// See et al. 2017, equation 11, the summand of coverage: w_c c_s.
inline Vector coverage_part(const Vector& w, double coverage_of_key) {
  Vector y(w);
  for (double& v : y) v *= coverage_of_key;
  return y;
}
// Luong et al. 2015, equation 8, location-based: the scores of the first positions, W q; w
// [positions,query]. Positions without a row have no score.
inline Vector location_based_scores(const Vector& q, const Matrix& w, size_t keys) {
  Vector e(keys, 0.0);
  for (size_t s = 0; s < std::min(keys, w.rows); ++s) e[s] = dot(w.row(s), q);
  return e;
}
// Chorowski et al. 2015, equation 9, and See et al. 2017, equation 11: vᵀ tanh(W q + U k + b + x),
// x the sum of what the location gives: M f_s, w_c c_s, or both.
inline double location_score(const Vector& q, const Vector& k, const Matrix& w, const Matrix& u,
                             const Vector& b, const Vector& v, const Vector& extra) {
  Vector hidden = sum(sum(affine(w, b, q), product(u, k)), extra);
  for (double& h : hidden) h = std::tanh(h);
  return dot(v, hidden);
}

// Raffel et al. 2017, equation 16: g v / |v|, instead of v of an additive energy.
inline Vector normalized_energy(const Vector& v, double g) {
  Vector y(v);
  for (double& x : y) x *= g / std::sqrt(dot(v, v));
  return y;
}

// Veličković et al. 2018, equation 3 before its softmax: LeakyReLU(aᵀ [W h_i ‖ W h_j]), slope 0.2;
// a₁ and a₂ are the two halves of a. This one gets W h_i and W h_j.
inline double graph_score_of_nodes(const Vector& of_i, const Vector& of_j, const Vector& a1,
                                   const Vector& a2) {
  Vector a = a1, both = of_i;
  a.insert(a.end(), a2.begin(), a2.end());
  both.insert(both.end(), of_j.begin(), of_j.end());
  const double x = dot(a, both);
  return x > 0 ? x : 0.2 * x;
}
inline double graph_score(const Vector& h_i, const Vector& h_j, const Matrix& w, const Vector& a1,
                          const Vector& a2) {
  return graph_score_of_nodes(product(w, h_i), product(w, h_j), a1, a2);
}

// Clevert et al. 2016, equation 15, α = 1.
inline double elu(double x) { return x > 0 ? x : std::exp(x) - 1; }

// Tu et al. 2016, equations 7 and 8: 1 / Φ of a key, Φ = N σ(U_f h).
inline double inverse_fertility(const Vector& h, const Vector& u_f, double most) {
  return 1 / (most * sigmoid(dot(u_f, h)));
}
// Tu et al. 2016, equation 9: C = GRU([a; h; q], C) of a key, the gates r, z, n of each input side
// by side, with the reset gate on U C + b.
struct CoverageGates {
  Vector of_weight;         // [3d]
  Matrix of_key, of_query;  // [3d,…]
  Vector bias;              // [3d]
  Matrix of_coverage;       // [3d,d]
  Vector coverage_bias;     // [3d]
};
inline Vector gru_coverage(const CoverageGates& g, double a, const Vector& h, const Vector& q,
                           const Vector& c) {
  Vector x = sum(product(g.of_key, h), affine(g.of_query, g.bias, q));
  for (size_t i = 0; i < x.size(); ++i) x[i] += a * g.of_weight.at(i);
  const Vector u = affine(g.of_coverage, g.coverage_bias, c);
  const size_t d = c.size();
  Vector next(d);
  for (size_t i = 0; i < d; ++i) {
    const double r = sigmoid(x[i] + u[i]), z = sigmoid(x[d + i] + u[d + i]);
    next[i] = (1 - z) * std::tanh(x[2 * d + i] + r * u[2 * d + i]) + z * c[i];
  }
  return next;
}

// Shen et al. 2018 (DiSAN), section 3.1, multi-dimensional attention: a score a feature,
// Wᵀ ELU(W1 k + W2 q + b1) + b; outer is Wᵀ [features,hidden].
inline Vector multi_dim_score(const Vector& q, const Vector& k, const Matrix& w1, const Matrix& w2,
                              const Vector& b1, const Matrix& outer, const Vector& b) {
  Vector hidden = sum(affine(w1, b1, k), product(w2, q));
  for (double& h : hidden) h = elu(h);
  return affine(outer, b, hidden);
}
// Shen et al. 2018 (DiSAN), section 3.3, without the mask: c tanh((W1 k + W2 q + b1) / c), c = 5.
inline Vector multi_dim_light_score(const Vector& q, const Vector& k, const Matrix& w1,
                                    const Matrix& w2, const Vector& b1, double c = 5) {
  Vector e = sum(affine(w1, b1, k), product(w2, q));
  for (double& v : e) v = c * std::tanh(v / c);
  return e;
}

// Shaw et al. 2018, section 3.2: the row of clip(j - i, -k, k) in a table [2k+1,d].
inline Vector relative_row(const Matrix& table, size_t i, size_t j) {
  const auto reach = static_cast<std::ptrdiff_t>(table.rows / 2);
  const auto distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
  return table.row(static_cast<size_t>(std::clamp(distance, -reach, reach) + reach));
}
// Shaw et al. 2018, equation 4: q_i·(k_j + r^K) / √d.
inline double relative_score(const Vector& q, const Vector& k, const Matrix& table, size_t i,
                             size_t j) {
  return scaled_dot_score(q, sum(k, relative_row(table, i, j)));
}
inline Matrix relative_scores(const Matrix& queries, const Matrix& keys, const Matrix& table) {
  Matrix e(queries.rows, keys.rows);
  for (size_t i = 0; i < e.rows; ++i) {
    for (size_t j = 0; j < e.columns; ++j) {
      e(i, j) = relative_score(queries.row(i), keys.row(j), table, i, j);
    }
  }
  return e;
}
// Shaw et al. 2018, equation 3: z_i = Σ_j a_ij (v_j + r^V).
inline Matrix relative_sum(const Matrix& weights, const Matrix& values, const Matrix& table) {
  Matrix z(weights.rows, values.columns);
  for (size_t i = 0; i < weights.rows; ++i) {
    for (size_t j = 0; j < values.rows; ++j) {
      const Vector v = sum(values.row(j), relative_row(table, i, j));
      for (size_t d = 0; d < z.columns; ++d) z(i, d) += weights(i, j) * v[d];
    }
  }
  return z;
}

// Henry et al. 2020 (QKNorm): g q·k of vectors of length 1.
inline double l2_score(const Vector& q, const Vector& k, double g) { return g * cosine(q, k); }

// Su et al. 2021, section 3.2.2: θ_i = b^(-2i/d), i from 0.  [d/2]
inline Vector rotary_angles(size_t d, double base = 10000) {
  Vector theta;
  for (size_t i = 0; i < d; i += 2)
    theta.push_back(std::pow(base, -static_cast<double>(i) / static_cast<double>(d)));
  return theta;
}
// Chen et al. 2023, equation 4: positions p / s.
inline Vector interpolated(Vector theta, double s) {
  for (double& angle : theta) angle /= s;
  return theta;
}
// Peng et al. 2023 (YaRN), section 3.1, NTK-aware interpolation: base b s^(d/(d-2)).
inline Vector ntk_angles(size_t d, double s, double base = 10000) {
  const auto width = static_cast<double>(d);
  return rotary_angles(d, base * std::pow(s, width / (width - 2)));
}
// Peng et al. 2023 (YaRN), section 3.2, NTK-by-parts interpolation, with γ as in the authors' code (find_correction_range,
// linear_ramp_mask; β = 32 and 1): between the features that turn 32 times and once in `length`
// positions, whole numbers, γ falls from 1 to 0.
inline Vector yarn_angles(size_t d, double s, double length, double base = 10000) {
  const double pi = std::acos(-1.0), width = static_cast<double>(d);
  const auto feature = [&](double turns) {
    return width * std::log(length / (turns * 2 * pi)) / (2 * std::log(base));
  };
  double low = std::max(std::floor(feature(32)), 0.0),
         high = std::min(std::ceil(feature(1)), width - 1);
  if (high <= low) high = low + 0.001;
  Vector theta = rotary_angles(d, base);
  for (size_t i = 0; i < theta.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    const double gamma = 1 - ramp;
    theta[i] = (1 - gamma) * theta[i] / s + gamma * theta[i];
  }
  return theta;
}
// Peng et al. 2023 (YaRN), section 3.4: √(1/t), by which queries and keys are multiplied.
inline double yarn_length(double s) { return 0.1 * std::log(s) + 1; }

// Su et al. 2021, equations 15 and 34: every pair (x_{2i}, x_{2i+1}), i from 0, turned by the angle
// position · θ_i.
inline Vector rotate(const Vector& x, size_t position, const Vector& theta) {
  if (x.size() % 2 != 0) throw std::invalid_argument("an odd width cannot be rotated in pairs");
  Vector y(x.size());
  for (size_t i = 0; i < x.size(); i += 2) {
    const double angle = static_cast<double>(position) * theta.at(i / 2);
    y[i] = x[i] * std::cos(angle) - x[i + 1] * std::sin(angle);
    y[i + 1] = x[i + 1] * std::cos(angle) + x[i] * std::sin(angle);
  }
  return y;
}
// Su et al. 2021, equation 16, scaled: (R_i q)·(R_j k) / √d.
inline Matrix rotary_scores(const Matrix& queries, const Matrix& keys, const Vector& theta) {
  Matrix e(queries.rows, keys.rows);
  for (size_t i = 0; i < e.rows; ++i) {
    for (size_t j = 0; j < e.columns; ++j)
      e(i, j) = scaled_dot_score(rotate(queries.row(i), i, theta), rotate(keys.row(j), j, theta));
  }
  return e;
}

}  // namespace reference
