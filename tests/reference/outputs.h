// Output layers that copy from the source, by their definitions: the log-probabilities of one step
// of the decoder for one sentence. ids[j] is the target id of the token at position j of S: below V
// a piece of the vocabulary, V + k the k-th of the X pieces of the sentence that the vocabulary
// lacks. Every result has V + X entries; an id that cannot be produced has -infinity.
#pragma once

#include <algorithm>
#include <optional>

#include "reference/attention.h"
#include "reference/layers.h"
#include "reference/readouts.h"

namespace reference {

using Ids = std::vector<int>;  // [S], or a target sequence [T]

// log Σ_i exp x_i; -infinity of nothing.
inline double log_sum_exp(const Vector& x) {
  double highest = -INFINITY, total = 0;
  for (const double v : x) highest = std::max(highest, v);
  if (highest == -INFINITY) return highest;
  for (const double v : x) total += std::exp(v - highest);
  return highest + std::log(total);
}

// log Σ_{j: ids_j = y} exp x_j for every y below count; x [S].
inline Vector log_sums_of_ids(const Vector& x, const Ids& ids, size_t count) {
  if (x.size() != ids.size()) throw std::invalid_argument("every position has one id");
  std::vector<Vector> positions(count);
  for (size_t j = 0; j < ids.size(); ++j) positions.at(static_cast<size_t>(ids[j])).push_back(x[j]);
  Vector y;
  for (const Vector& of_id : positions) y.push_back(log_sum_exp(of_id));
  return y;
}

// Hard attention, Wu et al. 2018, section 3: p(y | a = i) = softmax(W tanh(S [s; h_i] + b) + c), with
// S in two parts, for the decoder state s and the encoder state h_i.
inline Vector hard_emission(const Vector& s, const Vector& h, const Matrix& of_state,
                            const Vector& b, const Matrix& of_source, const Matrix& w,
                            const Vector& c) {
  Vector x = sum(affine(of_state, b, s), product(of_source, h));
  for (double& v : x) v = std::tanh(v);
  Vector y = affine(w, c, x);
  const double all = log_sum_exp(y);
  for (double& v : y) v = std::exp(v - all);
  return y;
}

// exp x of the positions that are possible, divided by their sum.
inline Vector over_possible(const Vector& x, const std::vector<bool>& possible) {
  Vector p(x.size(), 0.0);
  double total = 0;
  for (size_t i = 0; i < x.size(); ++i) total += p[i] = possible[i] ? std::exp(x[i]) : 0;
  for (double& v : p) v /= total;
  return p;
}
// Wu et al. 2018, equation 5, and Wu and Cotterell 2019, section 3: p(a_t | a_{t-1}) ∝ exp(sᵀ T h_i),
// of the positions from a_{t-1} on if monotonic.
inline Vector aligned_by_state(const Vector& s, const Matrix& h, const Matrix& key, size_t before,
                               bool monotonic) {
  Vector e;
  std::vector<bool> possible;
  for (size_t i = 0; i < h.rows; ++i) {
    e.push_back(dot(s, product(key, h.row(i))));
    possible.push_back(!monotonic || i >= before);
  }
  return over_possible(e, possible);
}
// Wu and Cotterell 2019, section 3: p(a_t | a_{t-1}) by jumps of at most w positions, forward if
// monotonic, scored from s and the encoder state h at a_{t-1}.
inline Vector aligned_by_jump(const Vector& s, const Vector& h, const Matrix& of_state,
                              const Vector& b, const Matrix& of_source, size_t before, size_t size,
                              bool monotonic, size_t w) {
  const Vector u = sum(affine(of_state, b, s), product(of_source, h));
  const size_t first = monotonic ? 0 : w;  // index in u of the jump 0
  Vector x(size, 0.0);
  std::vector<bool> possible(size, false);
  for (size_t index = 0; index < u.size(); ++index) {
    if (before + index < first || before + index - first >= size) continue;
    x[before + index - first] = u[index];
    possible[before + index - first] = true;
  }
  return over_possible(x, possible);
}

// p(a_t = i | y_1 … y_{t-1}), by all alignments a_1 … a_t of the tokens `written` and the next one.
// emission(t, i): the distribution of token t at position i; transition(t, j): that of a_t after
// a_{t-1} = j, with a_0 the first position; both count tokens from 0.
template <class Emission, class Transition>
Vector aligned_after(const Ids& written, size_t size, const Emission& emission,
                     const Transition& transition) {
  Vector sums(size, 0.0);
  std::vector<size_t> alignment(written.size() + 1, 0);
  for (bool is_last = false; !is_last;) {
    double p = 1;
    for (size_t t = 0; t < alignment.size(); ++t) {
      p *= transition(t, t == 0 ? 0 : alignment[t - 1]).at(alignment[t]);
      if (t < written.size()) p *= emission(t, alignment[t]).at(static_cast<size_t>(written[t]));
    }
    sums[alignment.back()] += p;
    size_t t = 0;  // the next alignment, as digits of a number
    while (t < alignment.size() && ++alignment[t] == size) alignment[t++] = 0;
    is_last = t == alignment.size();
  }
  double total = 0;
  for (const double p : sums) total += p;
  for (double& p : sums) p /= total;
  return sums;
}

// See et al. 2017, equation 8, before the sigmoid: w·[h*; s; x] + b, of which p_gen is the sigmoid.
inline double generation_logit(const Vector& w, double b, const Vector& context,
                               const Vector& state, const Vector& input) {
  Vector all = context;
  all.insert(all.end(), state.begin(), state.end());
  all.insert(all.end(), input.begin(), input.end());
  if (w.size() != all.size()) throw std::invalid_argument("width of the gate");
  return dot(w, all) + b;
}

// The weights [S] of one head, or the mean of all heads, then made a distribution: max(a_j, 0) over
// the sum of these; all 0 where that sum is 0. attention [H,S].
inline Vector copy_distribution(const Matrix& attention, std::optional<size_t> head) {
  if (head && *head >= attention.rows) throw std::invalid_argument("no such head");
  Vector a(attention.columns, 0.0);  // the sum of the heads, which gives what their mean gives
  for (size_t h = 0; h < attention.rows; ++h) {
    if (!head || *head == h) a = sum(a, attention.row(h));
  }
  double total = 0;
  for (double& v : a) total += v = std::max(v, 0.0);
  for (double& v : a) v = total == 0 ? 0 : v / total;
  return a;
}

// See et al. 2017, equation 9: P(w) = p_gen P_vocab(w) + (1 - p_gen) Σ_{i: w_i = w} a_i, P_vocab
// the softmax of scores [V], p_gen = sigmoid(gate). Where all of a is 0 nothing is copied, and the
// sum of P is p_gen.
inline Vector pointer_generator(const Vector& scores, const Matrix& attention,
                                std::optional<size_t> head, double gate, const Ids& ids,
                                size_t extended) {
  Vector log_a = copy_distribution(attention, head);
  for (double& v : log_a) v = std::log(v);
  Vector log_p = log_sums_of_ids(log_a, ids, scores.size() + extended);
  const Vector log_vocabulary = log_probabilities(scores);
  for (size_t y = 0; y < log_p.size(); ++y) {
    const double generated = y < scores.size() ? log_sigmoid(gate) + log_vocabulary[y] : -INFINITY;
    log_p[y] = log_sum_exp({generated, log_sigmoid(-gate) + log_p[y]});
  }
  return log_p;
}

// Gu et al. 2016, equation 8: ψ_c(x_j) = tanh(W_c h_j)·s for every position; h [S,K], w_c [W,K], s
// [W].
inline Vector copy_scores(const Matrix& h, const Matrix& w_c, const Vector& s) {
  Vector psi;
  for (size_t j = 0; j < h.rows; ++j) {
    Vector hidden = product(w_c, h.row(j));
    for (double& v : hidden) v = std::tanh(v);
    psi.push_back(dot(hidden, s));
  }
  return psi;
}

// Gu et al. 2016, equations 4 to 6: p(y) = (exp ψ_g(y) + Σ_{j: x_j = y} exp ψ_c(x_j)) / Z, the
// first term only for y < V, Z the sum over all V generate and all S copy scores; the paper's
// unknown word is here an id of the vocabulary like any other. `end`: an id of the source that is
// not in the paper, and is not copied; nullopt: there is none.
inline Vector copynet(const Vector& psi_g, Vector psi_c, const Ids& ids, size_t extended,
                      std::optional<int> end) {
  for (size_t j = 0; j < ids.size(); ++j) {
    if (ids[j] == end) psi_c.at(j) = -INFINITY;
  }
  const double log_z = log_sum_exp({log_sum_exp(psi_g), log_sum_exp(psi_c)});
  Vector log_p = log_sums_of_ids(psi_c, ids, psi_g.size() + extended);
  for (size_t y = 0; y < log_p.size(); ++y) {
    const double generated = y < psi_g.size() ? psi_g[y] : -INFINITY;
    log_p[y] = log_sum_exp({generated, log_p[y]}) - log_z;
  }
  return log_p;
}

// Gu et al. 2016, equation 9, the selective read: ζ(y) = Σ_j ρ_j h_j, ρ the softmax of ψ_c of the
// step before over the positions with x_j = y, 0 elsewhere; y is what is fed now. All 0 where y
// stands nowhere, or there was no step before.
inline Vector selective_read(const std::optional<Vector>& previous_psi_c, const Ids& ids,
                             const Matrix& h, int y) {
  Vector zeta(h.columns, 0.0), psi;
  if (!previous_psi_c) return zeta;
  for (size_t j = 0; j < h.rows; ++j) {
    if (ids.at(j) == y) psi.push_back(previous_psi_c->at(j));
  }
  for (size_t j = 0; j < h.rows; ++j) {
    if (ids[j] != y) continue;
    const double rho = std::exp(previous_psi_c->at(j) - log_sum_exp(psi));
    for (size_t k = 0; k < h.columns; ++k) zeta[k] += rho * h(j, k);
  }
  return zeta;
}

// Vinyals et al. 2015, equation 3: u_j = vᵀ tanh(W1 e_j + W2 d) for every position; e [S,K], w1
// [D,K], w2 [D,W], v [D], d [W].
inline Vector pointer_scores(const Matrix& e, const Matrix& w1, const Matrix& w2, const Vector& v,
                             const Vector& d) {
  Vector u;
  for (size_t j = 0; j < e.rows; ++j) u.push_back(additive_score(d, e.row(j), w2, w1, {}, v));
  return u;
}

// Vinyals et al. 2015, section 2.3: p = softmax(u) over the positions, here summed over those of
// one id; count is V + X. u and ids may have one position more, that of an end beside the source.
inline Vector pointer_network(const Vector& u, const Ids& ids, size_t count) {
  const double log_z = log_sum_exp(u);
  Vector log_p = log_sums_of_ids(u, ids, count);
  for (double& v : log_p) v -= u.empty() ? 0 : log_z;
  return log_p;
}

// Szegedy et al. 2016, section 7, with the uniform distribution over the ids that can be produced:
// (1-ε) (-log p(y)) + ε · the mean of -log p over the ids whose log p is finite; ε < 1. Infinite
// where y cannot be produced.
inline double smoothed_loss(const Vector& log_p, int y, double epsilon) {
  double total = 0, finite = 0;
  for (const double v : log_p) {
    if (!std::isfinite(v)) continue;
    total -= v;
    ++finite;
  }
  const double target = (1 - epsilon) * -log_p.at(static_cast<size_t>(y));
  return finite > 0 ? target + epsilon * total / finite : target;
}
// The same summed over the steps of a target sequence; log_p [T] of [V+X].
inline double smoothed_loss(const std::vector<Vector>& log_p, const Ids& targets, double epsilon) {
  if (log_p.size() != targets.size()) throw std::invalid_argument("every step has one target");
  double loss = 0;
  for (size_t t = 0; t < log_p.size(); ++t) loss += smoothed_loss(log_p[t], targets[t], epsilon);
  return loss;
}

}  // namespace reference
