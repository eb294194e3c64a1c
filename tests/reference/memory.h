// Heads of a Neural Turing Machine by their definitions (Graves, Wayne and Danihelka 2014, section
// 3), for one memory [N,M] whose rows are all readable.
#pragma once

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

}  // namespace reference
