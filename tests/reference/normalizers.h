// Normalizers of scores other than the softmax of attention.h. Masked keys have weight 0; if all
// keys are masked, all weights are 0.
#pragma once

#include <algorithm>

#include "reference/attention.h"

namespace reference {

// Applies `weights_of` to the readable scores of every row of e, in their order.
template <class WeightsOf>
Matrix over_readable(const Matrix& e, const Mask& mask, const WeightsOf& weights_of) {
  Matrix a(e.rows, e.columns);
  for (size_t t = 0; t < e.rows; ++t) {
    Vector readable;
    for (size_t s = 0; s < e.columns; ++s) {
      if (mask.at(t).at(s)) readable.push_back(e(t, s));
    }
    if (readable.empty()) continue;
    const Vector weights = weights_of(readable);
    for (size_t s = 0, n = 0; s < e.columns; ++s) {
      if (mask[t][s]) a(t, s) = weights.at(n++);
    }
  }
  return a;
}

// max(x_i - τ, 0)^power with the τ for which the sum is 1, found by bisection: the sum falls with
// τ, is at least 1 at max x - 1 and 0 at max x.
inline Vector thresholded(const Vector& x, double power) {
  double high = *std::max_element(x.begin(), x.end()), low = high - 1;
  Vector p(x.size());
  for (int halving = 0; halving < 200; ++halving) {
    const double tau = (low + high) / 2;
    double total = 0;
    for (size_t i = 0; i < x.size(); ++i)
      total += p[i] = std::pow(std::max(x[i] - tau, 0.0), power);
    (total >= 1 ? low : high) = tau;
  }
  return p;
}
// Martins and Astudillo 2016, equation 2 in the form of proposition 1: max(e_i - τ, 0).
inline Vector sparsemax(const Vector& e) { return thresholded(e, 1); }
inline Matrix sparsemax(const Matrix& e, const Mask& mask) {
  return over_readable(e, mask, [](const Vector& row) { return sparsemax(row); });
}
// Peters et al. 2019, section 3.2, α = 1.5: max((α-1) e_i - τ, 0)^(1/(α-1)).
inline Vector entmax15(const Vector& e) {
  Vector half(e);
  for (double& v : half) v /= 2;
  return thresholded(half, 2);
}
inline Matrix entmax15(const Matrix& e, const Mask& mask) {
  return over_readable(e, mask, [](const Vector& row) { return entmax15(row); });
}

// Correia et al. 2019, section 2: the same for any α from 1, excluded, to 2.
inline Vector entmax(const Vector& e, double alpha) {
  Vector scaled(e);
  for (double& v : scaled) v *= alpha - 1;
  return thresholded(scaled, 1 / (alpha - 1));
}
inline Matrix entmax(const Matrix& e, const Mask& mask, double alpha) {
  return over_readable(e, mask, [alpha](const Vector& row) { return entmax(row, alpha); });
}

// Malaviya et al. 2018, section 3: min(max(z_i - τ, 0), u_i) with the τ for which the sum is 1, found
// by bisection; u itself if its sum is less than 1.
inline Vector constrained_sparsemax(const Vector& z, const Vector& u) {
  double high = *std::max_element(z.begin(), z.end()),
         low = *std::min_element(z.begin(), z.end()) - 1;
  Vector p(z.size());
  for (int halving = 0; halving < 200; ++halving) {
    const double tau = (low + high) / 2;
    double total = 0;
    for (size_t i = 0; i < z.size(); ++i)
      total += p[i] = std::min(std::max(z[i] - tau, 0.0), u.at(i));
    (total >= 1 ? low : high) = tau;
  }
  double all = 0;
  for (const double v : u) all += v;
  return all < 1 ? u : p;
}

// Paulus et al. 2018, equations 2 to 4: the weights of query t, given the scores of all queries so
// far. A key is divided by the sum of the exponentials of its earlier scores, if it could be read.
inline Vector temporal(const Matrix& e, const Mask& mask, size_t t) {
  Vector a(e.columns, 0.0);
  double total = 0;
  for (size_t i = 0; i < e.columns; ++i) {
    if (!mask.at(t).at(i)) continue;
    double earlier = 0;
    for (size_t j = 0; j < t; ++j) earlier += mask[j].at(i) ? std::exp(e(j, i)) : 0;
    a[i] = earlier > 0 ? std::exp(e(t, i)) / earlier : std::exp(e(t, i));
    total += a[i];
  }
  for (double& v : a) v /= total > 0 ? total : 1;
  return a;
}
// Softmax with a further score b, of a key that is not read: exp(e_i) / (exp(b) + Σ_j exp(e_j)).
// Miller 2023, "Attention is off by one": b = 0. Agarwal et al. 2025 (gpt-oss): b learned.
inline Vector softmax_beside(const Vector& e, double b) {
  double highest = b;
  for (const double v : e) highest = std::max(highest, v);
  double total = std::exp(b - highest);
  for (const double v : e) total += std::exp(v - highest);
  Vector a(e.size());
  for (size_t i = 0; i < e.size(); ++i) a[i] = std::exp(e[i] - highest) / total;
  return a;
}
inline Matrix softmax_beside(const Matrix& e, const Mask& mask, double b) {
  return over_readable(e, mask, [b](const Vector& row) { return softmax_beside(row, b); });
}

// All weight on the highest score; of equal scores, on the first.
inline Vector hard_argmax(const Vector& e) {
  Vector a(e.size(), 0.0);
  a[static_cast<size_t>(std::max_element(e.begin(), e.end()) - e.begin())] = 1;
  return a;
}
inline Matrix hard_argmax(const Matrix& e, const Mask& mask) {
  return over_readable(e, mask, [](const Vector& row) { return hard_argmax(row); });
}

// Kim et al. 2017, section 3.1, the score of one selection z: Σ_s e_s z_s + Σ_s b[z_s][z_{s+1}];
// z_s is bit s.
inline double selection_score(const Vector& e, const Matrix& b, size_t z) {
  const auto bit = [&](size_t s) { return z >> s & 1; };
  double score = 0;
  for (size_t s = 0; s < e.size(); ++s) score += bit(s) == 1 ? e[s] : 0;
  for (size_t s = 0; s + 1 < e.size(); ++s) score += b(bit(s), bit(s + 1));
  return score;
}
// Kim et al. 2017, section 3.1, segmentation attention: p(z_s = 1) of a linear-chain CRF over z ∈
// {0,1}^n, summed over all 2^n values of z.
inline Vector structured(const Vector& e, const Matrix& b) {
  if (e.size() > 20) throw std::invalid_argument("too many positions to enumerate");
  const size_t count = size_t{1} << e.size();
  double highest = -INFINITY, total = 0;
  for (size_t z = 0; z < count; ++z) highest = std::max(highest, selection_score(e, b, z));
  Vector p(e.size(), 0.0);
  for (size_t z = 0; z < count; ++z) {
    const double likelihood = std::exp(selection_score(e, b, z) - highest);
    total += likelihood;
    for (size_t s = 0; s < e.size(); ++s) p[s] += (z >> s & 1) == 1 ? likelihood : 0;
  }
  for (double& v : p) v /= total;
  return p;
}
// The chain is over the readable positions: neighbours are consecutive readable positions.
inline Matrix structured(const Matrix& e, const Mask& mask, const Matrix& b) {
  return over_readable(e, mask, [&](const Vector& row) { return structured(row, b); });
}

// Kim et al. 2017, section 4.2, in the authors' code: λ p_s / Σ p.
inline Vector scaled_to(Vector p, double lambda) {
  double total = 0;
  for (const double v : p) total += v;
  for (double& v : p) v *= total > 0 ? lambda / total : 0;
  return p;
}

// Kim et al. 2017, section 3.2, whether heads[i] for the words i before the root, which is behind them,
// are a projective tree: every word leads to the root, and all words below an arc lead to its head.
inline bool is_projective_tree(const std::vector<size_t>& heads) {
  const size_t root = heads.size();
  const auto leads_to = [&](size_t word, size_t ancestor) {
    for (size_t steps = 0; steps <= root; ++steps) {
      if (word == ancestor) return true;
      if (word == root) return false;
      word = heads[word];
    }
    return false;
  };
  for (size_t i = 0; i < root; ++i) {
    if (heads[i] == i || !leads_to(i, root)) return false;
    for (size_t below = std::min(i, heads[i]) + 1; below < std::max(i, heads[i]); ++below) {
      if (!leads_to(below, heads[i])) return false;
    }
  }
  return true;
}
// Kim et al. 2017, section 3.2, syntactic attention: p(head of i is j) with the scores e(i, j),
// summed over all projective trees whose arcs the mask has. The sentence has the positions that are
// query and key, up to `length`; its last one is the root. Zeros if there is no tree.
inline Matrix dependency_trees(const Matrix& e, const Mask& mask, size_t length) {
  Matrix p(e.rows, e.columns);
  const size_t positions = std::min({e.rows, e.columns, length});
  if (positions > 8) throw std::invalid_argument("too many positions to enumerate");
  if (positions < 2) return p;
  const size_t root = positions - 1;
  std::vector<std::pair<std::vector<size_t>, double>> trees;
  std::vector<size_t> heads(root, 0);
  for (bool is_last = false; !is_last;) {
    bool is_allowed = is_projective_tree(heads);
    double score = 0;
    for (size_t i = 0; i < root; ++i) {
      is_allowed = is_allowed && mask.at(i).at(heads[i]);
      score += e(i, heads[i]);
    }
    if (is_allowed) trees.emplace_back(heads, score);
    size_t word = 0;  // the next heads, as digits of a number
    while (word < root && ++heads[word] > root) heads[word++] = 0;
    is_last = word == root;
  }
  double highest = -INFINITY, total = 0;
  for (const auto& [tree, score] : trees) highest = std::max(highest, score);
  for (const auto& [tree, score] : trees) total += std::exp(score - highest);
  for (const auto& [tree, score] : trees) {
    for (size_t i = 0; i < root; ++i) p(i, tree[i]) += std::exp(score - highest) / total;
  }
  return p;
}

// Raffel et al. 2017, equation 9, the expected alignment of one query, given that of the previous
// query: α_ij = p_ij Σ_{k≤j} α_{i-1,k} Π_{l=k}^{j-1} (1 - p_il).
inline Vector monotonic_step(const Vector& p, const Vector& previous) {
  Vector a(p.size(), 0.0);
  for (size_t j = 0; j < p.size(); ++j) {
    for (size_t k = 0; k <= j; ++k) {
      double reached = previous.at(k);
      for (size_t l = k; l < j; ++l) reached *= 1 - p[l];
      a[j] += p[j] * reached;
    }
  }
  return a;
}
// Raffel et al. 2017, algorithm 1, with p > ½, that is e > 0, instead of a sample. The search
// starts at the key where the last query stopped, and goes to the next key with e > 0. If it runs
// off the end, all later queries have no weights.
inline Matrix monotonic_hard(const Matrix& e, const Mask& mask) {
  Matrix a(e.rows, e.columns);
  size_t j = 0;
  for (size_t i = 0; i < e.rows; ++i) {
    while (j < e.columns && !(mask.at(i).at(j) && e(i, j) > 0)) ++j;
    if (j == e.columns) break;
    a(i, j) = 1;
  }
  return a;
}

// Chiu and Raffel 2018, equation 16: each key k where the reader stops gives its weight to the
// chunk of w keys that ends at k, by a softmax over the scores u of the chunk. The weight of key j
// is the sum over all chunks.
inline Matrix over_chunks(const Matrix& alignment, const Matrix& u, const Mask& mask, size_t w) {
  Matrix b(u.rows, u.columns);
  for (size_t i = 0; i < u.rows; ++i) {
    for (size_t k = 0; k < u.columns; ++k) {
      Mask chunk(1, std::vector<bool>(u.columns, false));
      for (size_t l = k + 1 > w ? k + 1 - w : 0; l <= k; ++l) chunk[0][l] = mask.at(i).at(l);
      const Vector in_chunk = softmax(Matrix(1, u.columns, u.row(i)), chunk).row(0);
      for (size_t j = 0; j < u.columns; ++j) b(i, j) += alignment(i, k) * in_chunk[j];
    }
  }
  return b;
}

// Raffel et al. 2017, section 2.3, with p = sigmoid(e), without the noise of training, and with p =
// 0 for masked keys. Before the first query all weight is on the first position. Weight beyond the
// last position is lost, so that a row sums to at most 1.
inline Matrix monotonic(const Matrix& e, const Mask& mask) {
  Matrix a(e.rows, e.columns);
  Vector previous(e.columns, 0.0);
  if (!previous.empty()) previous[0] = 1;
  for (size_t i = 0; i < e.rows; ++i) {
    Vector p(e.columns, 0.0);
    for (size_t j = 0; j < e.columns; ++j) p[j] = mask.at(i).at(j) ? sigmoid(e(i, j)) : 0;
    previous = monotonic_step(p, previous);
    a.set_row(i, previous);
  }
  return a;
}

}  // namespace reference
