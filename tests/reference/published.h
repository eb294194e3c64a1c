// Published models as a whole, from the ids of a source to the log-probabilities of the next target
// token, with the symbols of the papers. The weights have the names and shapes of heed's parameters.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reference/attention.h"
#include "reference/layers.h"
#include "reference/light_attention.h"
#include "reference/matrix.h"
#include "reference/terms.h"

namespace reference {

class Weights {
 public:
  explicit Weights(std::map<std::string, Matrix> all) : all_(std::move(all)) {}
  const Matrix& operator[](const std::string& name) const { return all_.at(name); }
  // Empty if the model has none.
  Vector vector(const std::string& name) const {
    const auto found = all_.find(name);
    return found == all_.end() ? Vector() : found->second.numbers;
  }
  Vector linear(const std::string& name, const Vector& x) const {
    return affine((*this)[name + ".weight"], vector(name + ".bias"), x);
  }

 private:
  std::map<std::string, Matrix> all_;
};

using Sequence = std::vector<Vector>;
using TokenIds = std::vector<size_t>;

inline Vector joined(const Vector& a, const Vector& b) {
  Vector both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}
template <class Function>
Vector each(Vector x, const Function& function) {
  for (double& v : x) v = function(v);
  return x;
}
inline Vector tanh_each(const Vector& x) {
  return each(x, [](double v) { return std::tanh(v); });
}
inline Vector sigmoid_each(const Vector& x) { return each(x, sigmoid); }

// Gate number k of a recurrent cell: W_k x + U_k h with its biases.
inline Vector gate(const Weights& w, const std::string& cell, size_t k, const Vector& x,
                   const Vector& h) {
  const size_t width = h.size();
  Vector y(width);
  for (size_t j = 0; j < width; ++j) {
    const size_t row = k * width + j;
    y[j] = dot(w[cell + ".weight_input"].row(row), x) + w.vector(cell + ".bias_input").at(row) +
           dot(w[cell + ".weight_hidden"].row(row), h) + w.vector(cell + ".bias_hidden").at(row);
  }
  return y;
}

// ---- Bahdanau et al. 2015, appendix A

// Appendix A.1.1: r = σ(..), z = σ(..), s~ = tanh(W x + U [r ∘ s]); the new state is (1 - z) ∘ s~ +
// z ∘ s, where the paper has z and 1 - z the other way round.
inline Vector bahdanau_unit(const Weights& w, const std::string& cell, const Vector& x,
                            const Vector& s) {
  const Vector r = sigmoid_each(gate(w, cell, 0, x, s)), z = sigmoid_each(gate(w, cell, 1, x, s));
  const Vector proposed = tanh_each(gate(w, cell, 2, x, times(r, s)));
  Vector next(s.size());
  for (size_t j = 0; j < s.size(); ++j) next[j] = (1 - z[j]) * proposed[j] + z[j] * s[j];
  return next;
}

// previous: the maxout layer reads s_{i-1} (appendix A.2.2), or s_i (equation 4).
// source: with its end; target: the token before each step, the begin symbol first.
inline Sequence bahdanau(const Weights& w, const TokenIds& source, const TokenIds& target,
                         bool previous) {
  const std::string encoder = "encoder_source.layer_0";
  const size_t width = w[encoder + "_forward.weight_hidden"].columns;
  Sequence forward(source.size()), backward(source.size()), h;
  Vector state(width, 0.0);
  const auto embedded = [&](size_t j) { return w["source_source.embedding"].row(source[j]); };
  for (size_t j = 0; j < source.size(); ++j)
    forward[j] = state = bahdanau_unit(w, encoder + "_forward", embedded(j), state);
  state = Vector(width, 0.0);
  for (size_t j = source.size(); j-- > 0;)
    backward[j] = state = bahdanau_unit(w, encoder + "_backward", embedded(j), state);
  for (size_t j = 0; j < source.size(); ++j) h.push_back(joined(forward[j], backward[j]));
  Vector s = tanh_each(w.linear("decoder.bridge_0", backward[0]));  // tanh(W_s h←_1)
  Sequence all;
  for (const size_t y : target) {
    // Appendix A.1.2: e_ij = v_aᵀ tanh(W_a s_{i-1} + U_a h_j).
    Vector e, c(h[0].size(), 0.0);
    const std::string score = "decoder.attention.score";
    for (const Vector& h_j : h)
      e.push_back(dot(w.vector(score + ".v"), tanh_each(sum(w.linear(score + ".query", s),
                                                            w.linear(score + ".key", h_j)))));
    const Vector log_alpha = log_probabilities(e);
    for (size_t j = 0; j < h.size(); ++j)
      for (size_t k = 0; k < c.size(); ++k) c[k] += std::exp(log_alpha[j]) * h[j][k];
    const Vector before = s, embedding = w["target.embedding"].row(y);
    s = bahdanau_unit(w, "decoder.layer_0", joined(embedding, c), s);
    // Appendix A.2.2: t~_i = U_o s_{i-1} + V_o E y_{i-1} + C_o c_i; t_ij = max(t~_{i,2j-1}, t~_{i,2j}).
    const Vector pieces =
        w.linear("decoder.output", joined(joined(previous ? before : s, c), embedding));
    Vector t(pieces.size() / 2);
    for (size_t j = 0; j < t.size(); ++j) t[j] = std::max(pieces[2 * j], pieces[2 * j + 1]);
    all.push_back(log_probabilities(w.linear("output", t)));
  }
  return all;
}

// ---- Luong et al. 2015

struct LongState {
  Vector h, c;
};

// Zaremba et al. 2015, equations of section 3, which Luong et al. follow: gates i, f, g, o.
inline LongState luong_unit(const Weights& w, const std::string& cell, const Vector& x,
                            const LongState& state) {
  const Vector i = sigmoid_each(gate(w, cell, 0, x, state.h)),
               f = sigmoid_each(gate(w, cell, 1, x, state.h)),
               g = tanh_each(gate(w, cell, 2, x, state.h)),
               o = sigmoid_each(gate(w, cell, 3, x, state.h));
  LongState next{Vector(g.size()), Vector(g.size())};
  for (size_t j = 0; j < g.size(); ++j) {
    next.c[j] = f[j] * state.c[j] + i[j] * g[j];
    next.h[j] = o[j] * std::tanh(next.c[j]);
  }
  return next;
}

// One step of a stack of LSTM layers over x, in place; returns the state of the top layer.
inline Vector luong_stack(const Weights& w, const std::vector<std::string>& cells, Vector x,
                          std::vector<LongState>& states) {
  for (size_t layer = 0; layer < cells.size(); ++layer) {
    states[layer] = luong_unit(w, cells[layer], x, states[layer]);
    x = states[layer].h;
  }
  return x;
}

// local_reach: D of local-p; 0: global attention. The score is general if there is a W_a, else dot.
inline Sequence luong(const Weights& w, const TokenIds& source, const TokenIds& target,
                      size_t layers, double local_reach) {
  std::vector<std::string> encoder, decoder;
  for (size_t layer = 0; layer < layers; ++layer) {
    encoder.push_back("encoder_source.layer_" + std::to_string(layer) + "_forward");
    decoder.push_back("decoder.layer_" + std::to_string(layer));
  }
  const size_t width = w[decoder[0] + ".weight_hidden"].columns;
  std::vector<LongState> states(layers, {Vector(width, 0.0), Vector(width, 0.0)});
  Sequence h_s(source.size());
  for (size_t s = source.size(); s-- > 0;)  // the source from its last word to its first
    h_s[s] = luong_stack(w, encoder, w["source_source.embedding"].row(source[s]), states);
  Vector fed(width, 0.0);  // h~_{t-1}, section 3.3
  Sequence all;
  for (const size_t y : target) {
    const Vector h_t = luong_stack(w, decoder, joined(w["target.embedding"].row(y), fed), states);
    const std::string attention = "decoder.attention";
    const auto window = [&](double s) {  // equations 9 and 10
      if (local_reach == 0) return 1.0;
      const Vector hidden = tanh_each(product(w[attention + ".term_0.hidden.weight"], h_t));
      const double p = static_cast<double>(source.size()) *
                       sigmoid(dot(w.vector(attention + ".term_0.v.weight"), hidden));
      const double away = s - p, sigma = local_reach / 2;
      return std::abs(away) > local_reach ? 0 : std::exp(-away * away / (2 * sigma * sigma));
    };
    // Equations 7 and 8, over the positions of the window.
    Vector alignment(h_s.size()), c(width, 0.0);
    double total = 0;
    for (size_t s = 0; s < h_s.size(); ++s) {
      const std::string general = attention + ".score.key.weight";
      const Vector projected = w.vector(general).empty() ? h_s[s] : product(w[general], h_s[s]);
      const bool is_read = window(static_cast<double>(s)) > 0;
      if (is_read) total += alignment[s] = std::exp(dot(h_t, projected));
    }
    for (size_t s = 0; s < h_s.size(); ++s)
      for (size_t k = 0; k < width; ++k)
        c[k] += alignment[s] / total * window(static_cast<double>(s)) * h_s[s][k];
    fed = tanh_each(w.linear("decoder.output", joined(h_t, c)));  // equation 5
    all.push_back(log_probabilities(w.linear("output", fed)));    // equation 6
  }
  return all;
}

// ---- Vaswani et al. 2017

// Section 3.2.2 over queries and keys [·,d].
inline Sequence vaswani_attention(const Weights& w, const std::string& name,
                                  const Sequence& queries, const Sequence& keys, size_t heads,
                                  bool causal) {
  Sequence q, k, v, all;
  for (const Vector& x : queries) q.push_back(w.linear(name + ".score.query", x));
  for (const Vector& x : keys) {
    k.push_back(w.linear(name + ".score.key", x));
    v.push_back(w.linear(name + ".read.value", x));
  }
  const size_t d_k = q[0].size() / heads;
  for (size_t i = 0; i < q.size(); ++i) {
    Vector heads_of_i(q[0].size(), 0.0);
    for (size_t h = 0; h < heads; ++h) {
      Vector e;
      for (size_t j = 0; j < (causal ? i + 1 : k.size()); ++j) {
        double e_j = 0;
        for (size_t n = h * d_k; n < (h + 1) * d_k; ++n) e_j += q[i][n] * k[j][n];
        e.push_back(e_j / std::sqrt(static_cast<double>(d_k)));  // equation 1
      }
      const Vector log_weights = log_probabilities(e);
      for (size_t j = 0; j < e.size(); ++j)
        for (size_t n = h * d_k; n < (h + 1) * d_k; ++n)
          heads_of_i[n] += std::exp(log_weights[j]) * v[j][n];
    }
    all.push_back(w.linear(name + ".read.output", heads_of_i));
  }
  return all;
}

// Section 3.1: LayerNorm(x + Sublayer(x)).
inline void vaswani_add(const Weights& w, const std::string& norm, Sequence& x,
                        const Sequence& sublayer) {
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = layer_norm(sum(x[i], sublayer[i]), w.vector(norm + ".weight"), w.vector(norm + ".bias"));
}

// Equation 2: max(0, x W_1 + b_1) W_2 + b_2.
inline void vaswani_feed_forward(const Weights& w, const std::string& layer, Sequence& x) {
  Sequence y;
  for (const Vector& x_i : x) {
    const Vector inner = w.linear(layer + ".feed_forward.inner", x_i);
    y.push_back(w.linear(layer + ".feed_forward.outer",
                         each(inner, [](double v) { return std::max(0.0, v); })));
  }
  vaswani_add(w, layer + ".feed_forward_residual.norm", x, y);
}

// The sublayer over the earlier target tokens; name: of the layer.
using DecoderSublayer = std::function<Sequence(const std::string& name, const Sequence& y)>;
inline Sequence post_norm_transformer(const Weights& w, const TokenIds& source,
                                      const TokenIds& target, size_t layers, size_t heads,
                                      const DecoderSublayer& self, const Vector& output_bias) {
  const Matrix& embedding = w["target.embedding"];  // of source, target and output (section 3.4)
  const auto embedded = [&](const TokenIds& ids) {
    Sequence x;
    for (size_t i = 0; i < ids.size(); ++i) {
      const double scale = std::sqrt(static_cast<double>(embedding.columns));
      x.push_back(sum(each(embedding.row(ids[i]), [&](double v) { return scale * v; }),
                      sinusoid(i, embedding.columns)));
    }
    return x;
  };
  Sequence x = embedded(source), y = embedded(target);
  for (size_t l = 0; l < layers; ++l) {
    const std::string layer = "encoder_source.layer_" + std::to_string(l);
    vaswani_add(w, layer + ".self_residual.norm", x,
                vaswani_attention(w, layer + ".self_attention", x, x, heads, false));
    vaswani_feed_forward(w, layer, x);
  }
  for (size_t l = 0; l < layers; ++l) {
    const std::string layer = "decoder.layer_" + std::to_string(l);
    vaswani_add(w, layer + ".self_residual.norm", y, self(layer + ".self_attention", y));
    vaswani_add(w, layer + ".residual.norm", y,
                vaswani_attention(w, layer + ".attention", y, x, heads, false));
    vaswani_feed_forward(w, layer, y);
  }
  Sequence all;
  for (const Vector& y_i : y)
    all.push_back(log_probabilities(sum(product(embedding, y_i), output_bias)));
  return all;
}

inline Sequence vaswani(const Weights& w, const TokenIds& source, const TokenIds& target,
                        size_t layers, size_t heads) {
  const auto self = [&](const std::string& name, const Sequence& y) {
    return vaswani_attention(w, name, y, y, heads, true);
  };
  return post_norm_transformer(w, source, target, layers, heads, self,
                               Vector(w["target.embedding"].rows, 0.0));
}

// Kim et al. 2019: the decoder has a recurrent unit (light_attention.h) in place of self-attention.
inline Sequence kim(const Weights& w, const TokenIds& source, const TokenIds& target, size_t layers,
                    size_t heads) {
  const auto self = [&](const std::string& name, const Sequence& y) {
    Matrix x(y.size(), y.front().size());
    for (size_t t = 0; t < y.size(); ++t) x.set_row(t, y[t]);
    const Matrix out = ssru(x, w[name + ".input.weight"], w[name + ".forget.weight"],
                            w.vector(name + ".forget.bias"));
    Sequence all;
    for (size_t t = 0; t < out.rows; ++t) all.push_back(out.row(t));
    return all;
  };
  return post_norm_transformer(w, source, target, layers, heads, self, w.vector("output.bias"));
}

}  // namespace reference
