// Terms beside the score, by their definitions: masks, biases that are added to the scores, and
// factors of the weights, all [T,S]; i is the position of the query, j that of the key, both from
// 0. A mask is that of the term alone; `both` joins it with the mask of the readable keys. Lengths:
// the number of keys that each query may read.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "reference/attention.h"

namespace reference {

using Lengths = std::vector<size_t>;                   // [T]
using Edges = std::vector<std::pair<size_t, size_t>>;  // (query, key)

// i - j.
inline long offset(size_t i, size_t j) { return static_cast<long>(i) - static_cast<long>(j); }

// The mask of rule(i, j).
template <class Rule>
Mask mask_of(size_t queries, size_t keys, const Rule& rule) {
  Mask mask(queries, std::vector<bool>(keys));
  for (size_t i = 0; i < queries; ++i) {
    for (size_t j = 0; j < keys; ++j) mask[i][j] = rule(i, j);
  }
  return mask;
}
// The matrix of term(i, j).
template <class Term>
Matrix matrix_of(size_t queries, size_t keys, const Term& term) {
  Matrix x(queries, keys);
  for (size_t i = 0; i < queries; ++i) {
    for (size_t j = 0; j < keys; ++j) x(i, j) = term(i, j);
  }
  return x;
}

// Mask of the keys that both masks allow.
inline Mask both(const Mask& a, const Mask& b) {
  return mask_of(a.size(), a.empty() ? 0 : a[0].size(),
                 [&](size_t i, size_t j) { return a[i][j] && b.at(i).at(j); });
}

// Luong et al. 2015, section 3.2, local-m: the window [p - D, p + D] around p_t = t; p stays at the
// last key if there are fewer keys than queries.
inline Mask monotonic_window(const Lengths& lengths, size_t keys, size_t reach) {
  return mask_of(lengths.size(), keys, [&](size_t i, size_t j) {
    if (lengths[i] == 0) return false;
    const size_t centre = std::min(i, lengths[i] - 1);
    return std::labs(offset(j, centre)) <= static_cast<long>(reach);
  });
}

// Maps vᵀ tanh(W q) to (0, length): length · sigmoid(·).
inline double predicted(const Vector& q, const Matrix& w, const Vector& v, size_t length) {
  Vector hidden = product(w, q);
  for (double& h : hidden) h = std::tanh(h);
  return static_cast<double>(length) * sigmoid(dot(v, hidden));
}

// Luong et al. 2015, equations 9 and 10, local-p: p = S sigmoid(vᵀ tanh(W q)), the window |j - p| ≤
// D, D > 0, and the factor exp(-(j-p)² / (2σ²)), σ = D/2, of the weights, which are not normalised
// again.
struct PredictiveWindow {
  Vector centres;
  Mask mask;
  Matrix factor;
};
inline PredictiveWindow predictive_window(const Matrix& queries, const Matrix& w, const Vector& v,
                                          const Lengths& lengths, size_t keys, double reach) {
  PredictiveWindow window;
  for (size_t i = 0; i < queries.rows; ++i) {
    window.centres.push_back(predicted(queries.row(i), w, v, lengths.at(i)));
  }
  const auto distance = [&](size_t i, size_t j) {
    return static_cast<double>(j) - window.centres[i];
  };
  const double sigma = reach / 2;
  window.mask = mask_of(queries.rows, keys,
                        [&](size_t i, size_t j) { return std::abs(distance(i, j)) <= reach; });
  window.factor = matrix_of(queries.rows, keys, [&](size_t i, size_t j) {
    return std::exp(-distance(i, j) * distance(i, j) / (2 * sigma * sigma));
  });
  return window;
}

// Yang et al. 2018 (localness), equations 4 to 9, window of the query: the bias
// G_ij = -(j-P_i)² / (2σ_i²), P_i = I sigmoid(U_pᵀ tanh(W_p q_i)), σ_i = D_i / 2,
// D_i = I sigmoid(U_dᵀ tanh(W_p q_i)), one W_p for both; 0 where the query has nothing to read.
inline Matrix gaussian_bias(const Matrix& queries, const Matrix& w, const Vector& centre,
                            const Vector& window, const Lengths& lengths, size_t keys) {
  return matrix_of(queries.rows, keys, [&](size_t i, size_t j) {
    if (lengths.at(i) == 0) return 0.0;
    const double p = predicted(queries.row(i), w, centre, lengths[i]);
    const double sigma = predicted(queries.row(i), w, window, lengths[i]) / 2;
    const double distance = static_cast<double>(j) - p;
    return -distance * distance / (2 * sigma * sigma);
  });
}

// Shen et al. 2018 (DiSAN), section 3.3, the forward mask: earlier positions, without the query's
// own.
inline Mask forward_mask(size_t queries, size_t keys) {
  return mask_of(queries, keys, [](size_t i, size_t j) { return j < i; });
}
// Shen et al. 2018 (DiSAN), section 3.3, the backward mask: later positions.
inline Mask backward_mask(size_t queries, size_t keys) {
  return mask_of(queries, keys, [](size_t i, size_t j) { return j > i; });
}
// Vaswani et al. 2017, section 3.2.3: no positions after the query's own.
inline Mask causal_mask(size_t queries, size_t keys) {
  return mask_of(queries, keys, [](size_t i, size_t j) { return j <= i; });
}

// Ma et al. 2019 (STACL), wait-k with catch-up: target word t = i + 1 reads the first
// k + t - 1 - ⌊c t⌋ source words.
inline Mask wait_k_mask(size_t queries, size_t keys, size_t k, double c) {
  return mask_of(queries, keys, [&](size_t i, size_t j) {
    const auto t = static_cast<double>(i + 1);
    return static_cast<double>(j + 1) <= static_cast<double>(k) + t - 1 - std::floor(c * t);
  });
}

// Distance penalty: -α |i-j|.
inline Matrix distance_penalty(size_t queries, size_t keys, double alpha) {
  return matrix_of(queries, keys, [&](size_t i, size_t j) {
    return -alpha * static_cast<double>(std::labs(offset(i, j)));
  });
}

// Child et al. 2019, section 4, the parts of strided attention, here not causal. Local: |i-j| ≤ k.
inline Mask local_mask(size_t queries, size_t keys, size_t k) {
  return mask_of(queries, keys, [&](size_t i, size_t j) {
    return std::labs(offset(i, j)) <= static_cast<long>(k);
  });
}
// Child et al. 2019, section 4. Atrous: (i-j) mod k = 0, k > 0.
inline Mask atrous_mask(size_t queries, size_t keys, size_t k) {
  return mask_of(queries, keys, [&](size_t i, size_t j) {
    return std::labs(offset(i, j)) % static_cast<long>(k) == 0;
  });
}
// Child et al. 2019, section 4. Sparse: keys that either of the two masks allows.
inline Mask sparse_mask(size_t queries, size_t keys, size_t k) {
  const Mask near = local_mask(queries, keys, k), far = atrous_mask(queries, keys, k);
  return mask_of(queries, keys, [&](size_t i, size_t j) { return near[i][j] || far[i][j]; });
}

// Parikh et al. 2016, equation 7: the bias d_{i-j}, all distances beyond b sharing one; d [2b+1].
inline Matrix distance_bias(size_t queries, size_t keys, const Vector& d) {
  const long reach = static_cast<long>(d.size() / 2);
  return matrix_of(queries, keys, [&](size_t i, size_t j) {
    return d.at(static_cast<size_t>(std::clamp(offset(i, j), -reach, reach) + reach));
  });
}

// Raffel et al. 2020 (T5), as the authors' _relative_position_bucket: the bucket of the key at j for
// the query at i. Half of the buckets of one direction are of a single distance each, the others
// grow by a constant factor up to `farthest`.
inline size_t relative_bucket(size_t i, size_t j, bool bidirectional, size_t buckets,
                              double farthest) {
  long away = -offset(i, j);  // memory position - context position
  size_t first = 0;
  if (bidirectional) {
    buckets /= 2;
    if (away > 0) first = buckets;
    away = std::labs(away);
  } else {
    away = away < 0 ? -away : 0;
  }
  const size_t exact = buckets / 2, distance = static_cast<size_t>(away);
  if (distance < exact) return first + distance;
  const double part = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                      std::log(farthest / static_cast<double>(exact));
  const auto more = static_cast<size_t>(part * static_cast<double>(buckets - exact) + 1e-9);
  return first + std::min(exact + more, buckets - 1);
}
// Raffel et al. 2020 (T5), section 2.1: the number of the bucket, of one head; b [buckets].
inline Matrix bucket_bias(size_t queries, size_t keys, bool bidirectional, double farthest,
                          const Vector& b) {
  return matrix_of(queries, keys, [&](size_t i, size_t j) {
    return b.at(relative_bucket(i, j, bidirectional, b.size(), farthest));
  });
}

// Shazeer et al. 2020, section 4: Σ_h x_h P[h,g] for each g, of scores or of weights of all heads;
// p [H,H].
inline Matrix talked(const std::vector<Matrix>& of_heads, const Matrix& p, size_t g) {
  Matrix y(of_heads.at(0).rows, of_heads[0].columns);
  for (size_t h = 0; h < of_heads.size(); ++h) {
    for (size_t i = 0; i < y.numbers.size(); ++i) y.numbers[i] += of_heads[h].numbers[i] * p(h, g);
  }
  return y;
}

// Veličković et al. 2018, section 2.1, masked attention: i reads j only along an edge (i, j), and
// optionally itself, as in the paper.
inline Mask edge_mask(size_t queries, size_t keys, const Edges& edges, bool itself) {
  return mask_of(queries, keys, [&](size_t i, size_t j) {
    if (itself && i == j) return true;
    return std::find(edges.begin(), edges.end(), std::make_pair(i, j)) != edges.end();
  });
}

// The same with edges between words that consist of pieces. An edge (i, j) lets every piece of word
// i read every piece of word j, not the reverse. words[p] is the word of piece p; a piece of no
// word has an index that is in no edge. The pieces of one word read each other only along (i, i).
inline Mask word_edge_mask(const std::vector<size_t>& words, const Edges& edges) {
  return mask_of(words.size(), words.size(), [&](size_t p, size_t q) {
    for (const auto& [query, key] : edges) {
      if (words[p] == query && words[q] == key) return true;
    }
    return false;
  });
}

// Press et al. 2022 (ALiBi), section 3: the slope 2^(-8(h+1)/H) of head h, from 0, of H heads. In the
// authors' code, get_slopes(H) are, unless H is a power of two, get_slopes(P) of the next smaller
// power P and every second one of get_slopes(2P).
inline double alibi_slope(size_t head, size_t heads) {
  size_t power = 1;
  while (2 * power <= heads) power *= 2;
  if (power < heads) {
    return head < power ? alibi_slope(head, power) : alibi_slope(2 * (head - power), 2 * power);
  }
  return std::pow(2.0, -8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
}
// Press et al. 2022 (ALiBi), section 3: the bias -m_h |i-j|.
inline Matrix alibi_bias(size_t queries, size_t keys, size_t head, size_t heads) {
  return distance_penalty(queries, keys, alibi_slope(head, heads));
}

// Yang et al. 2016, equations 8 and 9, with the query added: softmax of vᵀ tanh(W q + b + U h_m)
// over the chunks with readable words.
inline Vector chunk_weights(const Vector& q, const Matrix& states, const std::vector<bool>& present,
                            const Matrix& w, const Vector& b, const Matrix& u, const Vector& v) {
  Vector of_chunks(states.rows, 0.0);
  double all = 0;
  for (size_t m = 0; m < states.rows; ++m) {
    if (!present.at(m)) continue;
    Vector hidden = sum(affine(w, b, q), product(u, states.row(m)));
    for (double& h : hidden) h = std::tanh(h);
    all += of_chunks[m] = std::exp(dot(v, hidden));
  }
  for (double& weight : of_chunks) weight = all > 0 ? weight / all : 0;
  return of_chunks;
}

// Nallapati et al. 2016, section 2.3: P(j) P_s(s(j)) / Σ_k P(k) P_s(s(k)).
inline Vector scaled_by_chunks(const Vector& words, const Vector& of_chunks,
                               const std::vector<size_t>& chunk) {
  Vector a(words.size());
  double all = 0;
  for (size_t j = 0; j < words.size(); ++j) all += a[j] = words[j] * of_chunks.at(chunk.at(j));
  for (double& x : a) x = all > 0 ? x / all : 0;
  return a;
}

// The context vector of each chunk: the mean of its words' states, by their weights. Zeros of a chunk
// without weight.
inline Matrix chunk_contexts(const Vector& words, const Matrix& states,
                             const std::vector<size_t>& chunk, size_t chunks) {
  Matrix contexts(chunks, states.columns);
  for (size_t m = 0; m < chunks; ++m) {
    Vector sum(states.columns, 0.0);
    double all = 0;
    for (size_t j = 0; j < words.size(); ++j) {
      if (chunk.at(j) != m) continue;
      all += words[j];
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += words[j] * states(j, k);
    }
    for (double& x : sum) x = all > 0 ? x / all : 0;
    contexts.set_row(m, sum);
  }
  return contexts;
}

// Yang et al. 2016: a word's weight within its chunk, times the weight of the chunk in the
// document.
inline Vector attended_by_chunks(const Vector& words, const Vector& of_chunks,
                                 const std::vector<size_t>& chunk) {
  Vector inside(of_chunks.size(), 0.0), a(words.size());
  for (size_t j = 0; j < words.size(); ++j) inside.at(chunk.at(j)) += words[j];
  for (size_t j = 0; j < words.size(); ++j)
    a[j] = words[j] > 0 ? of_chunks[chunk[j]] * words[j] / inside[chunk[j]] : 0;
  return a;
}

}  // namespace reference
