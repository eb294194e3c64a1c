// Deep Transformers with the norm after each residual connection, which multiplies its input by a
// factor: DeepNorm (Wang et al. 2022) and Admin (Liu et al. 2020). The weights have the names and
// shapes of heed's parameters.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "reference/published.h"

namespace reference {

// Wang et al. 2022, figure 2: α and β of the architectures, with N layers of the encoder and M of
// the decoder.
inline double fourth_root(double x) { return std::sqrt(std::sqrt(x)); }
struct Depth {
  double alpha, beta;
};
inline Depth of_encoder_alone(double n) { return {fourth_root(2 * n), 1 / fourth_root(8 * n)}; }
inline Depth of_decoder_alone(double m) { return {fourth_root(2 * m), 1 / fourth_root(8 * m)}; }
inline Depth of_encoder_of_pair(double n, double m) {
  const double root = fourth_root(fourth_root(n * n * n * n * m));
  return {0.81 * root, 0.87 / root};
}
inline Depth of_decoder_of_pair(double m) { return {fourth_root(3 * m), 1 / fourth_root(12 * m)}; }

class DeepTransformer {
 public:
  // Factor of x [d] by the name of the residual connection: α, or ω of Admin.
  using Factor = std::function<Vector(const std::string& connection)>;
  DeepTransformer(const Weights& weights, size_t heads, bool rms, Factor factor)
      : w(weights), heads_(heads), rms_(rms), factor_(std::move(factor)) {}

  Sequence embedded(const TokenIds& ids) const {
    const Matrix& embedding = w["target.embedding"];  // of source, target and output
    const double scale = std::sqrt(static_cast<double>(embedding.columns));
    Sequence x;
    for (size_t i = 0; i < ids.size(); ++i)
      x.push_back(sum(each(embedding.row(ids[i]), [&](double v) { return scale * v; }),
                      sinusoid(i, embedding.columns)));
    return x;
  }

  Sequence encode(const TokenIds& source, size_t layers) {
    Sequence x = embedded(source);
    for (size_t l = 0; l < layers; ++l) {
      const std::string layer = "encoder_source.layer_" + std::to_string(l);
      connect(layer + ".self_residual", x,
              vaswani_attention(w, layer + ".self_attention", x, x, heads_, false));
      connect(layer + ".feed_forward_residual", x, feed_forward_of(layer, x));
    }
    return x;
  }

  // An empty source has no attention over it.
  Sequence decode(const Sequence& source, const TokenIds& target, size_t layers) {
    Sequence y = embedded(target);
    for (size_t l = 0; l < layers; ++l) {
      const std::string layer = "decoder.layer_" + std::to_string(l);
      connect(layer + ".self_residual", y,
              vaswani_attention(w, layer + ".self_attention", y, y, heads_, true));
      if (!source.empty())
        connect(layer + ".residual", y,
                vaswani_attention(w, layer + ".attention", y, source, heads_, false));
      connect(layer + ".feed_forward_residual", y, feed_forward_of(layer, y));
    }
    return y;
  }

  // Numbers of x and f(x) of all sentences by connection.
  std::map<std::string, std::pair<Vector, Vector>> seen;

 private:
  Sequence feed_forward_of(const std::string& layer, const Sequence& x) const {
    Sequence y;
    for (const Vector& x_i : x) {
      const Vector inner = w.linear(layer + ".feed_forward.inner", x_i);
      y.push_back(w.linear(layer + ".feed_forward.outer",
                           each(inner, [](double v) { return std::max(0.0, v); })));
    }
    return y;
  }

  // Norm(factor ⊙ x + f(x))
  void connect(const std::string& name, Sequence& x, const Sequence& f) {
    const Vector factor = factor_(name);
    auto& [of_x, of_f] = seen[name];
    for (size_t i = 0; i < x.size(); ++i) {
      of_x.insert(of_x.end(), x[i].begin(), x[i].end());
      of_f.insert(of_f.end(), f[i].begin(), f[i].end());
      Vector total(x[i].size());
      for (size_t k = 0; k < total.size(); ++k) total[k] = factor.at(k) * x[i][k] + f[i][k];
      const Vector gain = w.vector(name + ".norm.weight");
      x[i] = rms_ ? rms_norm(total, gain) : layer_norm(total, gain, w.vector(name + ".norm.bias"));
    }
  }

  const Weights& w;
  size_t heads_;
  bool rms_;
  Factor factor_;
};

inline double variance(const Vector& x) {
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean) / static_cast<double>(x.size());
  return squares;
}

}  // namespace reference
