// Attention between two sentences by its definitions. A sentence is the list of its states, without
// padding; it may be empty.
#pragma once

#include <algorithm>

#include "reference/matrix.h"

namespace reference {

using States = std::vector<Vector>;

inline Vector joined(std::initializer_list<Vector> parts) {
  Vector all;
  for (const Vector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// exp(e_i) / Σ_j exp(e_j)
inline Vector weights_of(const Vector& scores) {
  Vector weights;
  double all = 0;
  for (const double e : scores) all += std::exp(e);
  for (const double e : scores) weights.push_back(std::exp(e) / all);
  return weights;
}

// Σ_i a_i x_i of states of this width; 0 of none.
inline Vector weighted(const Vector& weights, const States& states, size_t width) {
  Vector result(width, 0.0);
  for (size_t s = 0; s < states.size(); ++s) {
    for (size_t i = 0; i < width; ++i) result[i] += weights.at(s) * states[s].at(i);
  }
  return result;
}

struct PooledPair {
  Vector q_weights, a_weights, q, a;
};
// dos Santos et al. 2016, section 4: G = tanh(Qᵀ U A), g_q the maxima of its rows and g_a those of
// its columns, 0 if the other sentence is empty; q = Q softmax(g_q), a = A softmax(g_a).
inline PooledPair attentive_pooling(const States& q, const States& a, const Matrix& u) {
  Vector g_q(q.size(), a.empty() ? 0.0 : -1.0), g_a(a.size(), q.empty() ? 0.0 : -1.0);
  for (size_t i = 0; i < q.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) {
      const double g = std::tanh(dot(q[i], product(u, a[j])));
      g_q[i] = std::max(g_q[i], g);
      g_a[j] = std::max(g_a[j], g);
    }
  }
  PooledPair pooled{.q_weights = weights_of(g_q), .a_weights = weights_of(g_a), .q = {}, .a = {}};
  pooled.q = weighted(pooled.q_weights, q, u.rows);
  pooled.a = weighted(pooled.a_weights, a, u.columns);
  return pooled;
}

struct Flow {
  States to_query;    // a [T][J]
  Vector to_context;  // b [T]
  States g;           // G [T][4W]
};
// Seo et al. 2017 (BiDAF), section 2, layer 4, with w = [w_h; w_u; w_hu]. Without a query ũ = 0 and
// b is uniform.
inline Flow attention_flow(const States& h, const States& u, const Vector& w_h, const Vector& w_u,
                           const Vector& w_hu) {
  Flow flow;
  Vector greatest;
  States found;
  for (const Vector& h_t : h) {
    Vector s;
    for (const Vector& u_j : u)
      s.push_back(dot(joined({w_h, w_u, w_hu}), joined({h_t, u_j, times(h_t, u_j)})));
    greatest.push_back(u.empty() ? 0 : *std::max_element(s.begin(), s.end()));
    flow.to_query.push_back(weights_of(s));
    found.push_back(weighted(flow.to_query.back(), u, w_u.size()));
  }
  flow.to_context = weights_of(greatest);
  const Vector of_context = weighted(flow.to_context, h, w_h.size());
  for (size_t t = 0; t < h.size(); ++t)
    flow.g.push_back(joined({h[t], found[t], times(h[t], found[t]), times(h[t], of_context)}));
  return flow;
}

// Feed-forward layers with rectifiers.
struct Rectified {
  Matrix weight;
  Vector bias;
};
inline Vector rectified(Vector x, const std::vector<Rectified>& layers) {
  for (const Rectified& layer : layers) {
    x = affine(layer.weight, layer.bias, x);
    for (double& v : x) v = std::max(v, 0.0);
  }
  return x;
}

// Parikh et al. 2016, section 3.4: [a_i; a'_i], f_ij = F(a_i)ᵀ F(a_j), a'_i = Σ_j softmax_j(f_ij +
// d_(i-j)) a_j. bias: d by i - j, from -beyond to beyond; greater distances share that of `beyond`.
inline States intra_attention(const States& a, const std::vector<Rectified>& f,
                              const Vector& bias) {
  const auto beyond = static_cast<int64_t>(bias.size() / 2);
  States result;
  for (size_t i = 0; i < a.size(); ++i) {
    Vector scores;
    for (size_t j = 0; j < a.size(); ++j) {
      const int64_t away = static_cast<int64_t>(i) - static_cast<int64_t>(j);
      const int64_t index = std::clamp(away, -beyond, beyond) + beyond;
      scores.push_back(dot(rectified(a[i], f), rectified(a[j], f)) +
                       bias.at(static_cast<size_t>(index)));
    }
    result.push_back(joined({a[i], weighted(weights_of(scores), a, a[i].size())}));
  }
  return result;
}

// The layers of the decomposable attention model: F, G, and H without its last, linear layer.
struct Decomposable {
  std::vector<Rectified> f, g, h;
};
// Parikh et al. 2016, equations 1 to 3: G([a_i; β_i]), β_i = Σ_j softmax_j(F(a_i)ᵀ F(b_j)) b_j.
inline States compared(const States& a, const States& b, const Decomposable& w) {
  States result;
  for (const Vector& a_i : a) {
    Vector scores;
    for (const Vector& b_j : b) scores.push_back(dot(rectified(a_i, w.f), rectified(b_j, w.f)));
    result.push_back(rectified(joined({a_i, weighted(weights_of(scores), b, a_i.size())}), w.g));
  }
  return result;
}
// Equations 4 and 5: H([Σ_i v_i; Σ_j u_j]) of the compared states, each of this width.
inline Vector decomposable(const States& a, const States& b, const Decomposable& w, size_t width) {
  const States v = compared(a, b, w), u = compared(b, a, w);
  return rectified(joined({weighted(Vector(v.size(), 1.0), v, width),
                           weighted(Vector(u.size(), 1.0), u, width)}),
                   w.h);
}

}  // namespace reference
