// Layers of a Transformer block other than attention, and layers before and after the blocks.
#pragma once

#include <algorithm>
#include <string>

#include "reference/matrix.h"

namespace reference {

// Ba, Kiros and Hinton 2016, equation 4: g ⊙ (a - μ) / σ + b over the features of one vector, with
// the usual ε under the root.
inline Vector layer_norm(const Vector& a, const Vector& gain, const Vector& shift,
                         double epsilon = 1e-5) {
  const double count = static_cast<double>(a.size());
  double mean = 0, variance = 0;
  for (const double v : a) mean += v / count;
  for (const double v : a) variance += (v - mean) * (v - mean) / count;
  Vector y(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    y[i] = gain.at(i) * (a[i] - mean) / std::sqrt(variance + epsilon);
    if (!shift.empty()) y[i] += shift.at(i);
  }
  return y;
}

// Zhang and Sennrich 2019, equation 4: g ⊙ a / RMS(a), with the usual ε under the root.
inline Vector rms_norm(const Vector& a, const Vector& gain, double epsilon = 1e-6) {
  double squares = 0;
  for (const double v : a) squares += v * v;
  Vector y(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    y[i] = gain.at(i) * a[i] / std::sqrt(squares / static_cast<double>(a.size()) + epsilon);
  }
  return y;
}

// Hendrycks and Gimpel 2016: x Φ(x).
inline double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

// The same, section 2: the approximation by tanh.
inline double gelu_by_tanh(double x) {
  return 0.5 * x *
         (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3))));
}

// FFN(x) = W2 f(W1 x + b1) + b2: relu Vaswani et al. 2017, equation 2; gelu Hendrycks and Gimpel
// 2016; silu Ramachandran et al. 2017 (swish with β = 1); gated with swish and with gelu Shazeer
// 2020, equation 6, here with biases.
struct FeedForward {
  Matrix inner, gate, outer;
  Vector inner_bias, gate_bias, outer_bias;
};
inline Vector feed_forward(const Vector& x, const FeedForward& w, const std::string& activation) {
  Vector hidden = affine(w.inner, w.inner_bias, x);
  const Vector gate = activation.starts_with("gated") ? affine(w.gate, w.gate_bias, x) : Vector();
  for (size_t i = 0; i < hidden.size(); ++i) {
    const double v = hidden[i];
    if (activation == "relu") hidden[i] = std::max(0.0, v);
    if (activation == "gelu") hidden[i] = gelu(v);
    if (activation == "silu") hidden[i] = v * sigmoid(v);
    if (activation == "gated") hidden[i] = v * sigmoid(v) * gate[i];
    if (activation == "gated_gelu") hidden[i] = gelu(v) * gate[i];
    if (activation == "gated_gelu_tanh") hidden[i] = gelu_by_tanh(v) * gate[i];
  }
  return affine(w.outer, w.outer_bias, hidden);
}

// Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)).
template <class Inner>
Vector residual_post(const Vector& x, const Vector& gain, const Vector& shift, const Inner& inner) {
  return layer_norm(sum(x, inner(x)), gain, shift);
}
// LayerNorm(s ⊙ x + Sublayer(x)): s is α of Wang et al. 2022, figure 2, or ω of Liu et al. 2020,
// section 4.2.
template <class Inner>
Vector residual_scaled(const Vector& x, const Vector& scale, const Vector& gain,
                       const Vector& shift, const Inner& inner) {
  return layer_norm(sum(times(scale, x), inner(x)), gain, shift);
}
// Xiong et al. 2020, table 1: x + Sublayer(LayerNorm(x)).
template <class Inner>
Vector residual_pre(const Vector& x, const Vector& gain, const Vector& shift, const Inner& inner) {
  return sum(x, inner(layer_norm(x, gain, shift)));
}

// Vaswani et al. 2017, section 3.5: PE(p, 2i) = sin(p / 10000^(2i/W)), PE(p, 2i+1) = cos(the same).
inline Vector sinusoid(size_t position, size_t width) {
  Vector y(width);
  for (size_t j = 0; j < width; ++j) {
    const double even = static_cast<double>(j / 2 * 2);
    const double angle =
        static_cast<double>(position) / std::pow(10000.0, even / static_cast<double>(width));
    y[j] = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
  }
  return y;
}

// The same numbers, all sines before all cosines (Marian).
inline Vector sinusoid_in_halves(size_t position, size_t width) {
  const Vector in_turn = sinusoid(position, width);
  Vector y;
  for (const size_t first : {0, 1}) {
    for (size_t j = first; j < width; j += 2) y.push_back(in_turn[j]);
  }
  return y;
}

// sin((p + first) / 10000^(i / (W/2 - 1))), then the cosine of the same. The position of a
// sentence's first token is 2 (fairseq) or 1 (OpenNMT-tf), and the last factor is 1/10000. For an
// odd width the last number is 0 (fairseq).
inline Vector sinusoid_from(size_t first, size_t position, size_t width) {
  Vector y(width);
  const size_t half = width / 2;
  for (size_t i = 0; i < half; ++i) {
    const double angle = static_cast<double>(position + first) /
                         std::pow(10000.0, static_cast<double>(i) / static_cast<double>(half - 1));
    y[i] = std::sin(angle);
    y[half + i] = std::cos(angle);
  }
  return y;
}

// log softmax.
inline Vector log_probabilities(const Vector& logits) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double total = 0;
  for (const double v : logits) total += std::exp(v - highest);
  Vector y(logits);
  for (double& v : y) v -= highest + std::log(total);
  return y;
}

// Szegedy et al. 2016, section 7: cross-entropy with the target distribution (1-ε) δ + ε u with
// uniform u, here summed over the rows of logits.
inline double smoothed_cross_entropy(const Matrix& logits, const std::vector<size_t>& targets,
                                     double smoothing) {
  double loss = 0;
  for (size_t n = 0; n < logits.rows; ++n) {
    const Vector log_p = log_probabilities(logits.row(n));
    for (size_t v = 0; v < log_p.size(); ++v) {
      double q = smoothing / static_cast<double>(log_p.size());
      if (v == targets.at(n)) q += 1 - smoothing;
      loss -= q * log_p[v];
    }
  }
  return loss;
}

}  // namespace reference
