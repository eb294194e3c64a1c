// Reinforced self-attention, Shen et al. 2018 (ReSAN), by its definitions: which tokens two
// samplers pick, and what may then be read. One sentence x [T,W]; only readable positions are ever
// picked.
#pragma once

#include "reference/readouts.h"
#include "reference/terms.h"

namespace reference {

using Choices = std::vector<bool>;  // z [T], true: picked

// The parameters of one sampler.
struct Sampler {
  Matrix inner;  // W [hidden,3W]
  Vector inner_bias;
  Vector outer;           // w [hidden]
  double outer_bias = 0;  // b'
};

// Reinforced sequence sampling: p_i = sigmoid(wᵀ elu(W [x_i; m; x_i ⊙ m] + b) + b'), m the mean of
// what may be read; 0 where x_i may not be read.
inline Vector probabilities(const Matrix& x, const Readable& readable, const Sampler& w) {
  const Vector m = mean_pooling(x, readable);
  Vector p(x.rows, 0.0);
  for (size_t i = 0; i < x.rows; ++i) {
    if (!readable.at(i)) continue;
    Vector features = x.row(i);
    features.insert(features.end(), m.begin(), m.end());
    for (size_t d = 0; d < x.columns; ++d) features.push_back(x(i, d) * m[d]);
    Vector hidden = affine(w.inner, w.inner_bias, features);
    for (double& v : hidden) v = elu(v);
    p[i] = sigmoid(dot(w.outer, hidden) + w.outer_bias);
  }
  return p;
}

// Outside training: z_i = [p_i > 0.5].
inline Choices likely_choices(const Vector& p) {
  Choices z(p.size());
  for (size_t i = 0; i < p.size(); ++i) z[i] = p[i] > 0.5;
  return z;
}

// log p(z) = Σ_i z_i log p_i + (1-z_i) log(1-p_i) over what may be read.
inline double log_probability(const Choices& z, const Vector& p, const Readable& readable) {
  double y = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    if (readable.at(i)) y += std::log(z.at(i) ? p[i] : 1 - p[i]);
  }
  return y;
}

// The expected fraction of selected tokens: Σ_i p_i / length over what may be read; 0 where
// there is none.
inline double expected_fraction(const Vector& p, const Readable& readable) {
  double total = 0, length = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    if (!readable.at(i)) continue;
    total += p[i];
    ++length;
  }
  return length > 0 ? total / length : 0;
}

// Reinforced self-attention: query i reads key j where z^h_i = z^d_j = 1 and i ≠ j; heads z^h are
// the queries, dependents z^d the keys.
inline Mask picked_mask(const Choices& heads, const Choices& dependents) {
  return mask_of(heads.size(), dependents.size(),
                 [&](size_t i, size_t j) { return heads[i] && dependents[j] && i != j; });
}

// Every choice that one sampler can make, 2^n of n ≤ 6 readable positions: number k picks the
// readable positions whose bits k has, the first position the lowest bit.
inline std::vector<Choices> all_choices(const Readable& readable) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < readable.size(); ++i) {
    if (readable[i]) positions.push_back(i);
  }
  if (positions.size() > 6) throw std::invalid_argument("too many choices");
  std::vector<Choices> all;
  for (size_t k = 0; k < (size_t{1} << positions.size()); ++k) {
    Choices z(readable.size(), false);
    for (size_t n = 0; n < positions.size(); ++n) z[positions[n]] = (k >> n) & 1;
    all.push_back(z);
  }
  return all;
}

}  // namespace reference
