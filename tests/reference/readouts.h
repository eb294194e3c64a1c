// Operations on the weights and contexts of attention, by their definitions: gates, routing of
// heads, penalties, pooling, and repeated reading.
#pragma once

#include <algorithm>
#include <utility>

#include "reference/attention.h"
#include "reference/layers.h"
#include "reference/scores.h"

namespace reference {

using Readable = std::vector<bool>;  // [S], true: may be read

// Shen et al. 2018 (DiSAN), section 3.3, fusion gate: F = sigmoid(W1 s + W2 h + b), the result is F
// ⊙ h + (1-F) ⊙ s; s is the context, h the query's input.
inline Vector fusion_gate(const Vector& s, const Vector& h, const Matrix& w1, const Matrix& w2,
                          const Vector& b) {
  const Vector f = sum(affine(w1, b, s), product(w2, h));
  Vector u(s.size());
  for (size_t i = 0; i < u.size(); ++i) {
    u[i] = sigmoid(f.at(i)) * h.at(i) + (1 - sigmoid(f[i])) * s[i];
  }
  return u;
}

// Qiu et al. 2025, equation 5: y ⊙ σ(W x); y: the contexts of all heads, one after the other. W has
// a row for each number of y, or for each head.
inline Vector gated_heads(const Vector& y, const Vector& x, const Matrix& w) {
  const Vector gate = product(w, x);
  Vector z(y);
  for (size_t i = 0; i < z.size(); ++i) z[i] *= sigmoid(gate.at(i * gate.size() / z.size()));
  return z;
}

// Ye et al. 2025 (differential Transformer), equations 1 to 3, one head: two maps [T,S], values
// [S,2d], vectors of λ [d], gains of the norm [2d] with ε = 1e-5.
struct DifferentialHead {
  Vector lambda_q1, lambda_k1, lambda_q2, lambda_k2;
  double lambda_init;
  Vector gain;
};
inline Matrix differential_head(const Matrix& first, const Matrix& second, const Matrix& values,
                                const DifferentialHead& p) {
  const double lambda = std::exp(dot(p.lambda_q1, p.lambda_k1)) -
                        std::exp(dot(p.lambda_q2, p.lambda_k2)) + p.lambda_init;
  Matrix a(first);
  for (size_t i = 0; i < a.numbers.size(); ++i) a.numbers[i] -= lambda * second.numbers.at(i);
  return each_row(weighted_sum(a, values), [&](const Vector& row) {
    Vector y = rms_norm(row, p.gain, 1e-5);
    for (double& v : y) v *= 1 - p.lambda_init;
    return y;
  });
}

// Im and Cho 2017, fusion gate of projections: s' = Ws s + bs, h' = Wh h + bh, F = sigmoid(s' + h'
// + b), the result is F ⊙ s' + (1-F) ⊙ h'; an empty bs or bh is left out.
inline Vector projected_fusion_gate(const Vector& s, const Vector& h, const Matrix& ws,
                                    const Vector& bs, const Matrix& wh, const Vector& bh,
                                    const Vector& b) {
  const Vector s1 = affine(ws, bs, s), h1 = affine(wh, bh, h);
  Vector u(s1.size());
  for (size_t i = 0; i < u.size(); ++i) {
    const double f = sigmoid(s1[i] + h1.at(i) + b.at(i));
    u[i] = f * s1[i] + (1 - f) * h1[i];
  }
  return u;
}

// Shen et al. 2018 (DiSAN), section 3.1: a separate softmax over the keys for each feature,
// P_{i,j,d} = exp e_{i,j,d} / Σ_j' exp e_{i,j',d} over the readable keys, s_{i,d} = Σ_j P_{i,j,d}
// v_{j,d}; score_of(i, j) gives the scores [D] of query i and key j. Without readable keys, 0.
struct Featurewise {
  std::vector<Matrix> weights;  // [D] of [T,S]
  Matrix contexts;              // [T,D]
};
template <class ScoreOf>
Featurewise featurewise_attention(const ScoreOf& score_of, const Matrix& values, const Mask& mask) {
  Featurewise result;
  result.contexts = Matrix(mask.size(), values.columns);
  for (size_t d = 0; d < values.columns; ++d) {
    Matrix e(mask.size(), values.rows);
    for (size_t i = 0; i < e.rows; ++i) {
      for (size_t j = 0; j < e.columns; ++j) e(i, j) = score_of(i, j).at(d);
    }
    result.weights.push_back(softmax(e, mask));
    for (size_t i = 0; i < e.rows; ++i) {
      for (size_t j = 0; j < e.columns; ++j) {
        result.contexts(i, d) += result.weights[d](i, j) * values(j, d);
      }
    }
  }
  return result;
}

using Votes = std::vector<std::vector<Vector>>;  // [H][N][out]
// Li et al. 2019 (routing), the votes: V_{h→n} = W_{h→n} O_h; outputs: [V] for each head, w:
// [out,V] for each [H][N].
inline Votes votes_of(const std::vector<Vector>& outputs,
                      const std::vector<std::vector<Matrix>>& w) {
  Votes votes(outputs.size());
  for (size_t h = 0; h < outputs.size(); ++h) {
    for (const Matrix& to : w.at(h)) votes[h].push_back(product(to, outputs[h]));
  }
  return votes;
}

// softmax.
inline Vector probabilities(const Vector& logits) {
  Vector p = log_probabilities(logits);
  for (double& v : p) v = std::exp(v);
  return p;
}

// Σ_h C_{h,n}; c [H,N].
inline double assigned(const Matrix& c, size_t n) {
  double total = 0;
  for (size_t h = 0; h < c.rows; ++h) total += c(h, n);
  return total;
}
// Σ_h C_{h,n} V_{h→n} / Σ_h C_{h,n}.
inline Vector mean_vote(const Votes& votes, const Matrix& c, size_t n) {
  Vector mean(votes.at(0).at(n).size(), 0.0);
  for (size_t h = 0; h < votes.size(); ++h) {
    for (size_t d = 0; d < mean.size(); ++d) {
      mean[d] += c(h, n) * votes[h][n].at(d) / assigned(c, n);
    }
  }
  return mean;
}

// Li et al. 2019 (routing), algorithm 1, simple routing: the results [N,out] of the last iteration.
inline Matrix dynamic_routing(const Votes& votes, size_t iterations) {
  const size_t heads = votes.size(), capsules = votes.at(0).size();
  Matrix b(heads, capsules), out(capsules, votes[0].at(0).size());
  for (size_t iteration = 0; iteration < iterations; ++iteration) {
    const Matrix c = each_row(b, [](const Vector& row) { return probabilities(row); });
    for (size_t n = 0; n < capsules; ++n) out.set_row(n, mean_vote(votes, c, n));
    for (size_t h = 0; h < heads; ++h) {
      for (size_t n = 0; n < capsules; ++n) b(h, n) += dot(out.row(n), votes[h][n]);
    }
  }
  return out;
}

// Parameters that EM routing learns for each capsule, and its fixed λ.
struct EmRouting {
  Vector beta_a, beta_mu;
  double lambda = 1;
};
struct Capsule {
  Vector mean, variance;
  double log_activation = 0;
};
// log sigmoid(x).
inline double log_sigmoid(double x) {
  return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x)));
}
// Li et al. 2019 (routing), algorithm 2, the M-step of capsule n: the mean and variance of its
// votes (plus 1e-6), and A = sigmoid(λ (β_A - χ)), where χ is β_μ Σ_h C and the cost of the votes,
// Σ_h -C log p = Σ_d (log σ_d + ½ + ½ log 2π) Σ_h C (Hinton et al. 2018, section 3).
inline Capsule em_maximise(const Votes& votes, const Matrix& c, size_t n, const EmRouting& w) {
  Capsule capsule;
  capsule.mean = mean_vote(votes, c, n);
  capsule.variance.assign(capsule.mean.size(), 1e-6);
  double cost = w.beta_mu.at(n);
  for (size_t d = 0; d < capsule.mean.size(); ++d) {
    for (size_t h = 0; h < votes.size(); ++h) {
      const double away = votes[h][n][d] - capsule.mean[d];
      capsule.variance[d] += c(h, n) * away * away / assigned(c, n);
    }
    cost += 0.5 * std::log(capsule.variance[d]) + 0.5 + 0.5 * std::log(2 * std::acos(-1.0));
  }
  capsule.log_activation = log_sigmoid(w.lambda * (w.beta_a.at(n) - cost * assigned(c, n)));
  return capsule;
}
// log N(x; μ, diag σ²).
inline double log_normal(const Vector& x, const Vector& mean, const Vector& variance) {
  double y = 0;
  for (size_t d = 0; d < x.size(); ++d) {
    const double away = x[d] - mean.at(d);
    y -= 0.5 * (std::log(2 * std::acos(-1.0) * variance.at(d)) + away * away / variance[d]);
  }
  return y;
}
// Li et al. 2019 (routing), algorithm 2, EM routing: A_n μ_n [N,out] of the last M-step; the E-step
// C_{h,n} = A_n N(V_{h→n}; μ_n, σ²_n) / Σ_m A_m N(V_{h→m}; μ_m, σ²_m) is taken in logarithms.
inline Matrix em_routing(const Votes& votes, const EmRouting& w, size_t iterations) {
  const size_t heads = votes.size(), capsules = votes.at(0).size();
  Matrix c(heads, capsules, Vector(heads * capsules, 1 / static_cast<double>(capsules)));
  std::vector<Capsule> result(capsules);
  for (size_t iteration = 0; iteration < iterations; ++iteration) {
    for (size_t n = 0; n < capsules; ++n) result[n] = em_maximise(votes, c, n, w);
    for (size_t h = 0; h < heads; ++h) {
      Vector logits;
      for (size_t n = 0; n < capsules; ++n) {
        const double log_n = log_normal(votes[h][n], result[n].mean, result[n].variance);
        logits.push_back(result[n].log_activation + log_n);
      }
      c.set_row(h, probabilities(logits));
    }
  }
  Matrix out(capsules, votes[0].at(0).size());
  for (size_t n = 0; n < capsules; ++n) {
    for (size_t d = 0; d < out.columns; ++d) {
      out(n, d) = std::exp(result[n].log_activation) * result[n].mean.at(d);
    }
  }
  return out;
}

// The mean of measure(i, j) over all pairs of heads, i = j included.
template <class Measure>
double over_pairs(size_t heads, const Measure& measure) {
  double total = 0;
  for (size_t i = 0; i < heads; ++i) {
    for (size_t j = 0; j < heads; ++j) total += measure(i, j);
  }
  return total / static_cast<double>(heads * heads);
}
// Li et al. 2018 (disagreement), equation 6, subspaces: the mean cosine of the heads' values, over
// the readable positions. This and the next two are losses to be added: the paper's measures,
// negated.
inline double subspace_agreement(const std::vector<Matrix>& values, const Readable& readable) {
  double total = 0, count = 0;
  for (size_t s = 0; s < readable.size(); ++s) {
    if (!readable[s]) continue;
    ++count;
    total += over_pairs(values.size(), [&](size_t i, size_t j) {
      return cosine(values[i].row(s), values[j].row(s));
    });
  }
  return count > 0 ? total / count : 0;
}
// Li et al. 2018 (disagreement), equation 7, positions: the mean of Σ_s |a^i_s a^j_s|; weights: one
// vector for each head.
inline double position_agreement(const std::vector<Vector>& weights) {
  return over_pairs(weights.size(), [&](size_t i, size_t j) {
    double total = 0;
    for (size_t s = 0; s < weights[i].size(); ++s) total += std::abs(weights[i][s] * weights[j][s]);
    return total;
  });
}
// Li et al. 2018 (disagreement), equation 8, outputs: the mean cosine of the heads' outputs.
inline double output_agreement(const std::vector<Vector>& outputs) {
  return over_pairs(outputs.size(),
                    [&](size_t i, size_t j) { return cosine(outputs[i], outputs[j]); });
}

// Lin et al. 2017, equations 6 and 7: A = softmax(W2 tanh(W1 Hᵀ)) over the readable positions, M =
// A H; h [S,W], w1 [hidden,W], w2 [r,hidden].
struct Pooled {
  Matrix weights, pooled;  // [r,S] [r,W]
};
inline Pooled self_attentive_pooling(const Matrix& h, const Readable& readable, const Matrix& w1,
                                     const Matrix& w2) {
  Matrix e(w2.rows, h.rows);
  for (size_t s = 0; s < h.rows; ++s) {
    Vector hidden = product(w1, h.row(s));
    for (double& v : hidden) v = std::tanh(v);
    const Vector column = product(w2, hidden);
    for (size_t r = 0; r < e.rows; ++r) e(r, s) = column[r];
  }
  Pooled result;
  result.weights = softmax(e, Mask(e.rows, readable));
  result.pooled = weighted_sum(result.weights, h);
  return result;
}
// Lin et al. 2017, equation 8: ||A Aᵀ - I||²_F.
inline double redundancy(const Matrix& a) {
  double penalty = 0;
  for (size_t i = 0; i < a.rows; ++i) {
    for (size_t j = 0; j < a.rows; ++j) {
      const double entry = dot(a.row(i), a.row(j)) - (i == j ? 1 : 0);
      penalty += entry * entry;
    }
  }
  return penalty;
}

// Shen et al. 2018 (DiSAN), section 3.2, source2token: f(x_i) = Wᵀ elu(W1 x_i + b1) + b, a softmax
// of each feature over the readable positions, s = Σ_i P_i ⊙ x_i; outer is Wᵀ [W,hidden]. The
// weights are [W,S], a row for each feature; the pooled vector is [1,W].
inline Pooled source2token(const Matrix& x, const Readable& readable, const Matrix& w1,
                           const Vector& b1, const Matrix& outer, const Vector& b) {
  const auto score = [&](size_t, size_t i) {
    Vector hidden = affine(w1, b1, x.row(i));
    for (double& v : hidden) v = elu(v);
    return affine(outer, b, hidden);
  };
  const Featurewise read = featurewise_attention(score, x, Mask{readable});
  Pooled result{Matrix(x.columns, x.rows), read.contexts};
  for (size_t d = 0; d < x.columns; ++d) result.weights.set_row(d, read.weights[d].row(0));
  return result;
}
// The maximum of each feature over the readable positions; 0 if there are none.
inline Vector max_pooling(const Matrix& x, const Readable& readable) {
  Vector y(x.columns, 0.0);
  bool first = true;
  for (size_t i = 0; i < x.rows; ++i) {
    if (!readable.at(i)) continue;
    for (size_t d = 0; d < y.size(); ++d) y[d] = first ? x(i, d) : std::max(y[d], x(i, d));
    first = false;
  }
  return y;
}
// The mean of each feature over the readable positions; 0 if there are none.
inline Vector mean_pooling(const Matrix& x, const Readable& readable) {
  Vector y(x.columns, 0.0);
  double count = 0;
  for (size_t i = 0; i < x.rows; ++i) {
    if (!readable.at(i)) continue;
    y = sum(y, x.row(i));
    ++count;
  }
  for (double& v : y) v = count > 0 ? v / count : 0;
  return y;
}

// Multiple hops: c = attend(q, hop), q <- update(q, c), hops from 0; the last q.
template <class Attend, class Update>
Vector multi_hop(Vector q, size_t hops, const Attend& attend, const Update& update) {
  for (size_t hop = 0; hop < hops; ++hop) {
    const Vector c = attend(q, hop);
    q = update(q, c);
  }
  return q;
}
// Sukhbaatar et al. 2015, equation 4: u^{k+1} = u^k + o^k.
template <class Attend>
Vector multi_hop(const Vector& q, size_t hops, const Attend& attend) {
  return multi_hop(q, hops, attend, [](const Vector& u, const Vector& o) { return sum(u, o); });
}

// Graves 2016 (ACT), equations 5 to 14: step(n), n from 0, gives the pair (h_n, y_n); it halts at
// the first N at which Σ_{n≤N} h_n ≥ 1 - ε, or at the last step allowed, with the remainder
// R = 1 - Σ_{n<N} h_n; the result is Σ_n p_n y_n, p_n = h_n before N and R at N.
struct Adaptive {
  Vector output;
  size_t steps = 0;   // N
  double ponder = 0;  // N + R
};
template <class Step>
Adaptive adaptive_computation(size_t most, const Step& step, double epsilon = 0.01) {
  Adaptive result;
  double before = 0;  // Σ of the h_n of earlier steps
  for (size_t n = 0; n < most; ++n) {
    const std::pair<double, Vector> now = step(n);
    const bool last = before + now.first >= 1 - epsilon || n + 1 == most;
    const double p = last ? 1 - before : now.first;
    result.output.resize(now.second.size(), 0.0);
    for (size_t d = 0; d < now.second.size(); ++d) result.output[d] += p * now.second[d];
    if (last) {
      result.steps = n + 1;
      result.ponder = static_cast<double>(result.steps) + p;
      break;
    }
    before += now.first;
  }
  return result;
}

}  // namespace reference
