// Directional self-attention by its definitions. x [T,in] is one sentence, of which the first
// `length` positions are read; later positions are never keys, and their outputs are ignored.
#pragma once

#include "reference/layers.h"
#include "reference/readouts.h"
#include "reference/terms.h"

namespace reference {

// Parameters of one block; H is the width of the block.
struct Disa {
  Matrix input;  // W_h [H,in]
  Vector input_bias;
  Matrix key, query;  // W1, W2 [H,H]
  Vector score_bias;
  Matrix gate_context, gate_input;  // Wf1, Wf2 [H,H]
  Vector gate_bias;
  double c = 5;
};
struct DisaResult {
  Matrix hidden;     // h [T,H]
  Featurewise read;  // P and s
  Matrix outputs;    // u [T,H]
};

// Shen et al. 2018 (DiSAN), section 3.3, one block: h_i = elu(W_h x_i + b_h). The score of query i
// and key j, one for each feature, is c tanh((W1 h_j + W2 h_i + b) / c); `direction` is the mask of
// the keys. F = sigmoid(Wf1 s + Wf2 h + bf), u = F ⊙ h + (1-F) ⊙ s. A query without readable keys
// has s = 0.
inline DisaResult disa_block(const Matrix& x, size_t length, const Mask& direction, const Disa& w) {
  DisaResult result;
  result.hidden = affine(w.input, w.input_bias, x);
  for (double& v : result.hidden.numbers) v = elu(v);
  const Matrix& h = result.hidden;
  const Mask inside = mask_of(x.rows, x.rows, [&](size_t, size_t j) { return j < length; });
  const auto score = [&](size_t i, size_t j) {
    return multi_dim_light_score(h.row(i), h.row(j), w.key, w.query, w.score_bias, w.c);
  };
  result.read = featurewise_attention(score, h, both(direction, inside));
  result.outputs = Matrix(h.rows, h.columns);
  for (size_t i = 0; i < h.rows; ++i) {
    const Vector s = result.read.contexts.row(i);
    result.outputs.set_row(i, fusion_gate(s, h.row(i), w.gate_context, w.gate_input, w.gate_bias));
  }
  return result;
}

// Shen et al. 2018 (DiSAN), section 4: a block that reads earlier positions and one that reads
// later positions, with separate parameters; their outputs are joined: [u_fw; u_bw] [T,2H].
inline Matrix disan(const Matrix& x, size_t length, const Disa& forward, const Disa& backward) {
  const Mask before = forward_mask(x.rows, x.rows), after = backward_mask(x.rows, x.rows);
  const Matrix u = disa_block(x, length, before, forward).outputs;
  const Matrix v = disa_block(x, length, after, backward).outputs;
  Matrix y(x.rows, u.columns + v.columns);
  for (size_t i = 0; i < x.rows; ++i) {
    for (size_t d = 0; d < u.columns; ++d) y(i, d) = u(i, d);
    for (size_t d = 0; d < v.columns; ++d) y(i, u.columns + d) = v(i, d);
  }
  return y;
}

// Gain and shift of a layer normalization.
struct Norm {
  Vector gain, shift;
  Vector operator()(const Vector& x) const { return layer_norm(x, gain, shift); }
};

// Parameters of one block of Im and Cho 2017 after its attention.
struct DistanceBlock {
  Matrix from_word, from_attention;  // W^S, W^H [W,W]
  Vector gate_bias;                  // b^F
  Norm attention_norm, word_norm, projected_norm, gate_norm, last_norm;
  FeedForward feed_forward;
};
// Im and Cho 2017, section 3.2, of one word: S^F = S W^S and H^F = H W^H of the word S and the result
// H of multi-head attention, F = sigmoid(S^F + H^F + b^F), Gate(S, H) = F ⊙ S^F + (1 - F) ⊙ H^F, a
// feed-forward layer with a residual connection; layer normalization of every projection, of the
// gate and of the residual sum.
inline Vector distance_block(const Vector& word, const Vector& attended, const DistanceBlock& w) {
  const Vector s = w.word_norm(product(w.from_word, word)),
               h = w.projected_norm(product(w.from_attention, w.attention_norm(attended)));
  Vector gated(s.size());
  for (size_t i = 0; i < s.size(); ++i) {
    const double f = sigmoid(s[i] + h[i] + w.gate_bias.at(i));
    gated[i] = f * s[i] + (1 - f) * h[i];
  }
  const Vector u = w.gate_norm(gated);
  return w.last_norm(sum(u, feed_forward(u, w.feed_forward, "relu")));
}

// softmax_j(q_i·k_j / √D - α |i - j|) of a query at position i over the keys that its direction lets
// it read (Im and Cho 2017, equation 5); 0 without such keys.
inline Vector distance_weights(const Matrix& q, const Matrix& k, size_t i, bool forward,
                               double alpha) {
  Vector weights(k.rows, 0.0);
  double all = 0;
  for (size_t j = 0; j < k.rows; ++j) {
    if (forward ? j >= i : j <= i) continue;
    const double away = std::abs(static_cast<double>(i) - static_cast<double>(j));
    weights[j] = std::exp(dot(q.row(i), k.row(j)) / std::sqrt(static_cast<double>(q.columns)) -
                          alpha * away);
    all += weights[j];
  }
  for (double& weight : weights) weight = all > 0 ? weight / all : 0;
  return weights;
}

}  // namespace reference
