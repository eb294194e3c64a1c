// Memories by their definitions: the heads of a Neural Turing Machine (Graves, Wayne and Danihelka
// 2014, section 3), memory networks (Sukhbaatar et al. 2015, Miller et al. 2016) and the episodes of
// dynamic memory networks (Kumar et al. 2016, Xiong et al. 2016); each for one memory [N,M] whose
// rows are all readable.
#pragma once

#include "reference/recurrent.h"
#include "reference/scores.h"

namespace reference {

// Outputs of the controller for a head; shifts are those by -r … r, empty for no shift.
struct TuringHead {
  Vector key;
  double beta = 0, gate = 0, gamma = 1;
  Vector shifts;
};

// Equations 5 and 6: exp(β K[k, M(i)]) / Σ_j exp(β K[k, M(j)]).
inline Vector by_content(const TuringHead& head, const Matrix& memory) {
  Vector w(memory.rows);
  double total = 0;
  for (size_t i = 0; i < w.size(); ++i)
    total += w[i] = std::exp(cosine_score(head.key, memory.row(i), head.beta));
  for (double& v : w) v /= total;
  return w;
}

// Equation 7: g w^c + (1 - g) w_{t-1}.
inline Vector interpolated(const TuringHead& head, const Vector& content, const Vector& before) {
  Vector w(content.size());
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = head.gate * content[i] + (1 - head.gate) * before.at(i);
  return w;
}

// Equation 8: moves each weight by each shift, modulo N.
inline Vector shifted_in_a_circle(const TuringHead& head, const Vector& w) {
  if (head.shifts.empty()) return w;
  const auto count = static_cast<int>(w.size()), radius = static_cast<int>(head.shifts.size()) / 2;
  Vector moved(w.size(), 0.0);
  for (int i = 0; i < count; ++i) {
    for (int j = -radius; j <= radius; ++j) {
      const int to = ((i + j) % count + count) % count;
      moved.at(static_cast<size_t>(to)) +=
          w[static_cast<size_t>(i)] * head.shifts[static_cast<size_t>(j + radius)];
    }
  }
  return moved;
}

// Equation 9: w(i)^γ / Σ_j w(j)^γ.
inline Vector sharpened(const TuringHead& head, Vector w) {
  double total = 0;
  for (double& v : w) total += v = std::pow(v, head.gamma);
  for (double& v : w) v /= total;
  return w;
}

// Section 3.3: the four equations in sequence.
inline Vector turing_weights(const TuringHead& head, const Matrix& memory, const Vector& before) {
  const Vector gated = interpolated(head, by_content(head, memory), before);
  return sharpened(head, shifted_in_a_circle(head, gated));
}

// Equation 2: Σ_i w(i) M(i).
inline Vector turing_read(const Matrix& memory, const Vector& w) {
  Vector r(memory.columns, 0.0);
  for (size_t i = 0; i < memory.rows; ++i) {
    for (size_t d = 0; d < r.size(); ++d) r[d] += w.at(i) * memory(i, d);
  }
  return r;
}

// Equations 3 and 4: M(i) ⊙ (1 - w(i) e) + w(i) a.
inline void turing_write(Matrix& memory, const Vector& w, const Vector& e, const Vector& a) {
  for (size_t i = 0; i < memory.rows; ++i) {
    for (size_t d = 0; d < memory.columns; ++d)
      memory(i, d) = memory(i, d) * (1 - w.at(i) * e.at(d)) + w[i] * a.at(d);
  }
}

// exp(s_i) / Σ_j exp(s_j).
inline Vector soft_weights(const Vector& scores) {
  Vector p(scores);
  double total = 0;
  for (double& v : p) total += v = std::exp(v);
  for (double& v : p) v /= total;
  return p;
}

// Σ_i p_i c_i.
inline Vector weighted_rows(const Vector& p, const Matrix& rows) { return turing_read(rows, p); }

// Sukhbaatar et al. 2015, equations 1, 2 and 4, with the rows of `input` m_i and those of `output`
// c_i: u + o, or H u + o.
inline Vector memory_hop(const Vector& u, const Matrix& input, const Matrix& output,
                         const Matrix& h = {}) {
  Vector scores;
  for (size_t i = 0; i < input.rows; ++i) scores.push_back(dot(u, input.row(i)));
  return sum(h.rows == 0 ? u : product(h, u), weighted_rows(soft_weights(scores), output));
}

// Sukhbaatar et al. 2015, section 4.1: Σ_j l_j ∘ x_j of the words x_j, the rows, where
// l_kj = (1 - j/J) - (k/d) (1 - 2j/J), j and k from 1.
inline Vector position_encoded(const Matrix& words) {
  const auto count = static_cast<double>(words.rows), width = static_cast<double>(words.columns);
  Vector m(words.columns, 0.0);
  for (size_t j = 0; j < words.rows; ++j) {
    const double place = static_cast<double>(j + 1) / count;
    for (size_t k = 0; k < m.size(); ++k) {
      const double l = (1 - place) - static_cast<double>(k + 1) / width * (1 - 2 * place);
      m[k] += l * words(j, k);
    }
  }
  return m;
}

// Miller et al. 2016, section 3.1: q_{j+1} = R (q + Σ softmax(qᵀ k)_i v_i).
inline Vector key_value_hop(const Vector& q, const Matrix& keys, const Matrix& values,
                            const Matrix& r) {
  return product(r, memory_hop(q, keys, values));
}

// One pass of a dynamic memory network over facts, the rows. The bilinear W_b is that of Kumar's
// features, or empty.
struct Episode {
  Matrix inner, outer, bilinear;  // W_1, W_2, W_b
  Vector inner_bias, outer_bias;
  bool gates_by_sigmoid = false;
};

// z of one fact: Xiong et al. 2016, equation 8, then the further features of Kumar et al. 2016,
// section 2.3.
inline Vector fact_features(const Episode& e, const Vector& f, const Vector& q, const Vector& m) {
  Vector z;
  const auto append = [&z](const Vector& x) { z.insert(z.end(), x.begin(), x.end()); };
  const auto distance = [](const Vector& a, const Vector& b) {
    Vector d(a.size());
    for (size_t i = 0; i < a.size(); ++i) d[i] = std::abs(a[i] - b.at(i));
    return d;
  };
  append(times(f, q));
  append(times(f, m));
  append(distance(f, q));
  append(distance(f, m));
  if (e.bilinear.rows == 0) return z;
  append(f);
  append(q);
  append(m);
  z.push_back(dot(f, product(e.bilinear, q)));
  z.push_back(dot(f, product(e.bilinear, m)));
  return z;
}

// Gates of all facts: Xiong et al. 2016, equations 9 and 10, or a sigmoid of each (Kumar et al.
// 2016).
inline Vector fact_gates(const Episode& e, const Matrix& facts, const Vector& q, const Vector& m) {
  Vector scores;
  for (size_t i = 0; i < facts.rows; ++i) {
    Vector hidden = affine(e.inner, e.inner_bias, fact_features(e, facts.row(i), q, m));
    for (double& v : hidden) v = std::tanh(v);
    scores.push_back(affine(e.outer, e.outer_bias, hidden).at(0));
  }
  if (!e.gates_by_sigmoid) return soft_weights(scores);
  for (double& v : scores) v = sigmoid(v);
  return scores;
}

// Gates of a GRU over facts, each with W, U and b: r, h~, and u where it has an update gate.
struct FactCell {
  std::vector<Matrix> input, recurrent;
  std::vector<Vector> bias;
};

// The last state of the GRU over the facts with these gates g. With an update gate
// g GRU(f, h) + (1 - g) h (Kumar et al. 2016, section 2.3); else g h~ + (1 - g) h (Xiong et al.
// 2016, equation 12).
inline Vector episode_state(const FactCell& cell, const Matrix& facts, const Vector& gates) {
  const size_t width = cell.recurrent.at(0).rows;
  Vector h(width, 0.0);
  for (size_t i = 0; i < facts.rows; ++i) {
    const auto known = [&](size_t gate) {
      return affine(cell.input.at(gate), cell.bias.at(gate), facts.row(i));
    };
    const auto opened = [&](size_t gate) {
      Vector x = sum(known(gate), product(cell.recurrent.at(gate), h));
      for (double& v : x) v = sigmoid(v);
      return x;
    };
    Vector next = sum(known(1), times(opened(0), product(cell.recurrent[1], h)));
    for (double& v : next) v = std::tanh(v);
    if (cell.input.size() == 3) {
      const Vector u = opened(2);
      for (size_t k = 0; k < width; ++k) next[k] = (1 - u[k]) * next[k] + u[k] * h[k];
    }
    for (size_t k = 0; k < width; ++k) h[k] = gates.at(i) * next[k] + (1 - gates[i]) * h[k];
  }
  return h;
}

// Xiong et al. 2016, equation 14: ReLU(W [m; c; q] + b).
inline Vector relu_memory(const Matrix& w, const Vector& b, const Vector& m, const Vector& c,
                          const Vector& q) {
  Vector all(m);
  all.insert(all.end(), c.begin(), c.end());
  all.insert(all.end(), q.begin(), q.end());
  Vector next = affine(w, b, all);
  for (double& v : next) v = std::max(0.0, v);
  return next;
}

}  // namespace reference
