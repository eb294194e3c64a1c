// The four stages of attention by the equations of their papers, composed of the loops in
// tests/reference, with the parameters of a module.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "nn/compared_attention.h"
#include "reference/normalizers.h"
#include "reference/readouts.h"
#include "reference/reinforced.h"
#include "reference/scores.h"
#include "reference/terms.h"

namespace heed {

using reference::Mask;
using reference::Matrix;
using reference::Vector;

// Rows [head·D, (head+1)·D) of a matrix, which belong to a head.
inline Matrix rows_of(const Matrix& x, size_t head, size_t heads) {
  const size_t count = x.rows / heads;
  Matrix y(count, x.columns);
  for (size_t i = 0; i < count; ++i) y.set_row(i, x.row(head * count + i));
  return y;
}
inline Vector part_of(const Vector& x, size_t head, size_t heads) {
  return rows_of({x.size(), 1, x}, head, heads).numbers;
}
inline Matrix joined_columns(const Matrix& a, const Matrix& b) {
  Matrix y(a.rows, a.columns + b.columns);
  for (size_t i = 0; i < a.rows; ++i) {
    Vector row = a.row(i);
    const Vector behind = b.row(i);
    row.insert(row.end(), behind.begin(), behind.end());
    y.set_row(i, row);
  }
  return y;
}
inline Mask everything(size_t queries, size_t keys) {
  return Mask(queries, std::vector<bool>(keys, true));
}

struct Expected {
  Matrix context;
  std::vector<Matrix> weights;  // one for each head
  Vector losses;                // disagreement, one for each query
};

// Scores of query t with all keys; previous and total: the weights of earlier queries.
using ScoreOfHead = std::function<Vector(size_t t, const Vector& previous, const Vector& total)>;

[[noreturn]] inline void throw_no_reference(const std::string& name) {
  throw std::invalid_argument("no reference for '" + name +
                              "'; add it to tests/nn/attention_definition.h");
}

// Effect of a term on one head.
struct TermOfHead {
  Mask mask;
  Matrix bias, factor;
};

// The four stages by the equations, with the parameters of a module.
class Definition {
 public:
  Definition(const Case& c, const Attention& attention)
      : case_(c),
        heads_(static_cast<size_t>(c.head_count())),
        shared_heads_(c.key_value_heads > 0 ? static_cast<size_t>(c.key_value_heads) : heads_),
        parameters_(parameters_of(attention)) {}

  // Throws std::invalid_argument if a mechanism has no reference here.
  Expected read(const Sentence& sentence) const {
    check_read_out();
    Expected expected;
    const Matrix values = projected("read.value", sentence.values);
    expected.weights = weights(sentence);
    Matrix joined;
    for (size_t h = 0; h < heads_; ++h) {
      const Matrix c = context_of_head(expected.weights, values, h);
      joined = h == 0 ? c : joined_columns(joined, c);
    }
    if (case_.disagreement != "") {
      for (size_t t = 0; t < joined.rows; ++t)
        expected.losses.push_back(disagreement(sentence, expected.weights, joined, t));
    }
    if (case_.read.starts_with("gated")) {
      for (size_t t = 0; t < joined.rows; ++t)
        joined.set_row(
            t, reference::gated_heads(joined.row(t), sentence.query.row(t), weight("read.gate")));
    }
    expected.context = combined(joined);
    for (size_t t = 0; t < joined.rows; ++t) {
      if (case_.read == "fusion_gate") {
        expected.context.set_row(
            t, reference::fusion_gate(expected.context.row(t), sentence.query.row(t),
                                      weight("read.from_sum"), weight("read.from_query"),
                                      bias("read.from_sum")));
      }
      // The context is zero if no key is read, even if a later stage adds to it.
      if (!reads_anything(sentence, t))
        expected.context.set_row(t, Vector(expected.context.columns, 0.0));
    }
    return expected;
  }

 private:
  // Part of head h in keys or values, which heads in succession share: Ainslie et al. 2023.
  Matrix shared(const Matrix& x, size_t h) const {
    return reference::head_of(x, h / (heads_ / shared_heads_), shared_heads_);
  }
  // Elements of head h in a vector of all heads.
  Vector part(const Vector& joined, size_t h) const { return part_of(joined, h, heads_); }
  Vector part(const std::string& name, size_t h) const { return part(vector(name), h); }

  void check_read_out() const {
    const std::string& name = case_.read;
    if (name != "" && name != "weighted_sum" && name != "relative" && name != "fusion_gate" &&
        name != "talking_heads" && !name.starts_with("gated") && !name.starts_with("differential"))
      throw_no_reference(name);
  }

  Matrix context_of_head(const std::vector<Matrix>& weights, const Matrix& values, size_t h) const {
    const Matrix own = shared(values, h);
    if (case_reads_relative())
      return reference::relative_sum(weights[h], own, matrix("read.table"));
    if (case_.read == "talking_heads" || (case_.read.empty() && case_.term == "talking_heads"))
      return reference::weighted_sum(reference::talked(weights, matrix("read.after"), h), own);
    if (!case_.read.starts_with("differential")) return reference::weighted_sum(weights[h], own);
    // Two heads of values are those of a difference.
    const size_t first = h / 2 * 2;
    const Matrix both = reference::differential_head(
        weights[first], weights[first + 1],
        joined_columns(shared(values, first), shared(values, first + 1)),
        {.lambda_q1 = vector("read.lambda_q1"),
         .lambda_k1 = vector("read.lambda_k1"),
         .lambda_q2 = vector("read.lambda_q2"),
         .lambda_k2 = vector("read.lambda_k2"),
         .lambda_init = case_.read == "differential" ? 0.3 : 0.2,
         .gain = vector("read.norm.weight")});
    return reference::head_of(both, h % 2, 2);
  }

  Matrix combined(const Matrix& joined) const {
    const std::string& name = case_.combination;
    if (name == "" || name == "concat") return projected("read.output", joined);
    if (!name.starts_with("routing")) throw_no_reference(name);
    const auto votes_by = [&] {
      const Vector numbers = vector("read.heads.vote");
      const size_t width = joined.columns / heads_;
      std::vector<std::vector<Matrix>> w(heads_);
      for (size_t h = 0; h < heads_; ++h) {
        for (size_t n = 0; n < heads_; ++n) {
          const auto begin =
              numbers.begin() + static_cast<std::ptrdiff_t>((h * heads_ + n) * width * width);
          w[h].emplace_back(width, width,
                            Vector(begin, begin + static_cast<std::ptrdiff_t>(width * width)));
        }
      }
      return w;
    };
    const auto w = votes_by();
    return reference::each_row(joined, [&](const Vector& row) {
      std::vector<Vector> outputs;
      for (size_t h = 0; h < heads_; ++h) outputs.push_back(part(row, h));
      const auto votes = reference::votes_of(outputs, w);
      if (case_.combination == "routing_dynamic")
        return reference::dynamic_routing(votes, 3).numbers;
      // The parameter includes the constant of the density, (1 + log 2π) / 2 for each dimension.
      Vector beta_mu = vector("read.heads.cost_bias");
      const auto width = static_cast<double>(joined.columns / heads_);
      for (double& b : beta_mu) b -= width * (1 + std::log(2 * std::acos(-1.0))) / 2;
      return reference::em_routing(votes,
                                   {.beta_a = vector("read.heads.activation_bias"),
                                    .beta_mu = beta_mu,
                                    .lambda = 0.5},
                                   2)
          .numbers;
    });
  }

  double disagreement(const Sentence& sentence, const std::vector<Matrix>& weights,
                      const Matrix& joined, size_t t) const {
    if (case_.disagreement.empty()) return 0;
    if (case_.disagreement == "subspace") {
      std::vector<Matrix> values;
      const Matrix all = projected("read.value", sentence.values);
      for (size_t h = 0; h < heads_; ++h) values.push_back(shared(all, h));
      return reference::subspace_agreement(values, sentence.mask[t]);
    }
    std::vector<Vector> rows;
    for (size_t h = 0; h < heads_; ++h) {
      rows.push_back(case_.disagreement == "position" ? weights[h].row(t) : part(joined.row(t), h));
    }
    return case_.disagreement == "position" ? reference::position_agreement(rows)
                                            : reference::output_agreement(rows);
  }

  bool case_reads_relative() const {
    return case_.read == "relative" || (case_.read.empty() && case_.score == "relative");
  }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }
  Matrix weight(const std::string& name) const { return matrix(name + ".weight"); }
  Vector bias(const std::string& name) const {
    const auto found = parameters_.find(name + ".bias");
    return found == parameters_.end() ? Vector() : vector_of(found->second);
  }
  // Returns x itself if the module has no such projection.
  Matrix projected(const std::string& name, const Matrix& x) const {
    if (!parameters_.contains(name + ".weight")) return x;
    return reference::affine(weight(name), bias(name), x);
  }

  bool reads_anything(const Sentence& sentence, size_t t) const {
    for (size_t h = 0; h < heads_; ++h) {
      const Mask mask = readable(sentence, term(sentence, h));
      for (const bool readable : mask[t]) {
        if (readable) return true;
      }
    }
    return false;
  }

  // The keys that every stage lets a query read: location_based has scores for three positions.
  Mask readable(const Sentence& sentence, const TermOfHead& term) const {
    const Mask mask = reference::both(sentence.mask, term.mask);
    if (case_.score != "location_based") return mask;
    return reference::both(mask, reference::mask_of(mask.size(), sentence.keys.rows,
                                                    [](size_t, size_t s) { return s < 3; }));
  }

  // A head, and what it has computed for the queries so far.
  struct Head {
    ScoreOfHead score, chunk_score;
    TermOfHead with;
    Mask mask;
    Matrix a, energies, u;
    Vector previous, total;  // weights
  };

  Head head_of(const Sentence& sentence, size_t h) const {
    const size_t keys = sentence.keys.rows;
    const Matrix none(sentence.query.rows, keys);
    const TermOfHead with = term(sentence, h);
    return {.score = scores(sentence, h),
            .chunk_score = case_.normalizer.starts_with("mocha")
                               ? scores(sentence, h, "second_score")
                               : nullptr,
            .with = with,
            .mask = readable(sentence, with),
            .a = none,
            .energies = none,
            .u = none,
            .previous = Vector(keys, 0.0),
            .total = Vector(keys, 0.0)};
  }

  // Scores of query t, of all heads, since talking heads mix them.
  std::vector<Vector> scores_of_heads(const std::vector<Head>& heads, size_t t) const {
    std::vector<Matrix> rows;
    for (const Head& head : heads) {
      const Vector e = head.score(t, head.previous, head.total);
      rows.emplace_back(1, e.size(), e);
    }
    std::vector<Vector> scores;
    for (size_t h = 0; h < heads.size(); ++h) {
      const bool talks = case_.term == "talking_heads";
      scores.push_back(
          (talks ? reference::talked(rows, matrix("term_0.before"), h) : rows[h]).row(0));
    }
    return scores;
  }

  // Weights of each head. Computes one query after another, because some mechanisms use the weights
  // of earlier queries.
  std::vector<Matrix> weights(const Sentence& sentence) const {
    std::vector<Head> heads;
    for (size_t h = 0; h < heads_; ++h) heads.push_back(head_of(sentence, h));
    std::vector<Matrix> trees;
    if (case_.normalizer == "structured_tree") trees = trees_of(heads, sentence);
    for (size_t t = 0; t < sentence.query.rows; ++t) {
      const std::vector<Vector> scores = scores_of_heads(heads, t);
      for (size_t h = 0; h < heads_; ++h) {
        Head& head = heads[h];
        if (head.chunk_score) head.u.set_row(t, head.chunk_score(t, head.previous, head.total));
        head.energies.set_row(t, energies_of(head, scores[h], t));
        const Vector own = trees.empty() ? weights_of(head, h, t) : trees[h].row(t);
        head.previous = reweighed(sentence, head, own, t);
        head.total = reference::sum(head.total, head.previous);
        head.a.set_row(t, head.previous);
      }
    }
    std::vector<Matrix> all;
    for (const Head& head : heads) all.push_back(head.a);
    return all;
  }

  Vector energies_of(const Head& head, Vector e, size_t t) const {
    if (case_.term == "test_fading") {
      for (size_t s = 0; s < e.size(); ++s) e[s] -= 2 * head.total[s] + head.previous[s];
    }
    return reference::sum(e, head.with.bias.row(t));
  }

  std::vector<Matrix> trees_of(const std::vector<Head>& heads, const Sentence& sentence) const {
    std::vector<Matrix> trees;
    for (size_t h = 0; h < heads_; ++h) {
      Matrix energies = heads[h].energies;
      for (size_t t = 0; t < energies.rows; ++t)
        energies.set_row(t, energies_of(heads[h], scores_of_heads(heads, t)[h], t));
      trees.push_back(
          reference::dependency_trees(energies, heads[h].mask, sentence.lengths.front()));
    }
    return trees;
  }

  Vector weights_of(const Head& head, size_t h, size_t t) const {
    if (is_monotonic()) return monotonic_weights(head.energies, head.u, head.mask, t);
    if (case_.normalizer == "temporal") return reference::temporal(head.energies, head.mask, t);
    if (case_.normalizer.starts_with("constrained"))
      return constrained_weights(head.energies.row(t), head.mask[t], head.total);
    return normalized(head.energies.row(t), head.mask[t], h);
  }

  // The weights after the factors of the term.
  Vector reweighed(const Sentence& sentence, const Head& head, Vector weights, size_t t) const {
    for (size_t s = 0; s < weights.size(); ++s) {
      weights[s] *= head.with.factor(t, s);
      if (case_.term == "test_squaring") weights[s] *= weights[s];
    }
    return case_.term.starts_with("chunks") ? by_chunks(sentence, t, weights) : weights;
  }

  Vector normalized(const Vector& e, const std::vector<bool>& mask, size_t h) const {
    const Matrix row(1, e.size(), e);
    if (case_.normalizer == "softmax") return reference::softmax(row, {mask}).row(0);
    if (case_.normalizer == "sparsemax") return reference::sparsemax(row, {mask}).row(0);
    if (case_.normalizer == "off_by_one") return reference::softmax_beside(row, {mask}, 0).row(0);
    if (case_.normalizer == "sink")
      return reference::softmax_beside(row, {mask}, vector("normalizer.logit").at(h)).row(0);
    if (case_.normalizer == "entmax15") return reference::entmax15(row, {mask}).row(0);
    if (case_.normalizer == "entmax") {
      const double alpha = 1 + reference::sigmoid(vector("normalizer.logit").at(h));
      return reference::entmax(row, {mask}, alpha).row(0);
    }
    if (case_.normalizer == "entmax_fixed") return reference::entmax(row, {mask}, 1.7).row(0);
    if (case_.normalizer.starts_with("hard")) return reference::hard_argmax(row, {mask}).row(0);
    if (case_.normalizer.starts_with("structured")) {
      const Matrix p = reference::structured(row, {mask}, matrix("normalizer.transition_bias"));
      return case_.normalizer == "structured" ? reference::scaled_to(p.row(0), 2) : p.row(0);
    }
    throw_no_reference(case_.normalizer);
  }
  // Malaviya 2018, given the sum of the weights of earlier queries.
  Vector constrained_weights(const Vector& e, const std::vector<bool>& mask,
                             const Vector& total) const {
    const bool has_sink = case_.normalizer == "constrained_sparsemax";
    const double fertility = has_sink ? 0.7 : 0.6, c = has_sink ? 0.3 : 0;
    std::vector<size_t> readable;
    for (size_t s = 0; s < e.size(); ++s) {
      if (mask[s]) readable.push_back(s);
    }
    Vector z, u, a(e.size(), 0.0);
    for (const size_t s : readable) {
      const bool is_sink = has_sink && s == readable.back();
      const double left = std::max(fertility - total[s], 0.0);
      z.push_back(e[s] + (is_sink ? 0 : c * left));
      u.push_back(is_sink ? INFINITY : left);
    }
    if (readable.empty()) return a;
    const Vector p = reference::constrained_sparsemax(z, u);
    for (size_t i = 0; i < readable.size(); ++i) a[readable[i]] = p[i];
    return a;
  }
  bool is_monotonic() const {
    return case_.normalizer.starts_with("monotonic") || case_.normalizer.starts_with("mocha");
  }
  // Weights of query t, from its energies and those of earlier queries: Raffel 2017, Chiu and
  // Raffel 2018, outside training.
  Vector monotonic_weights(Matrix energies, const Matrix& u, const Mask& mask, size_t t) const {
    if (parameters_.contains("normalizer.offset")) {
      for (double& e : energies.numbers) e += vector("normalizer.offset").at(0);
    }
    const Matrix a = case_.normalizer.ends_with("expected")
                         ? reference::monotonic(energies, mask)
                         : reference::monotonic_hard(energies, mask);
    if (case_.normalizer == "mocha") return reference::over_chunks(a, u, mask, 2).row(t);
    return (case_.normalizer == "mocha_expected" ? reference::over_chunks(a, u, mask, 3) : a)
        .row(t);
  }

  // A score that depends only on a query and a key.
  template <class Score>
  static ScoreOfHead pairwise(const Matrix& queries, const Matrix& keys, const Score& score) {
    return [queries, keys, score](size_t t, const Vector&, const Vector&) {
      Vector e;
      for (size_t s = 0; s < keys.rows; ++s) e.push_back(score(queries.row(t), keys.row(s)));
      return e;
    };
  }
  static Matrix times(Matrix x, double factor) {
    for (double& v : x.numbers) v *= factor;
    return x;
  }
  static ScoreOfHead of_matrix(const Matrix& e) {
    return [e](size_t t, const Vector&, const Vector&) { return e.row(t); };
  }

  // Scores with the parameters of the module of this name.
  ScoreOfHead scores(const Sentence& sentence, size_t h, const std::string& of = "score") const {
    const std::string& name = case_.score;
    if (name.starts_with("multi_dim")) return multi_dim_scores(sentence, h, of);
    if (name == "location_based") {
      const Matrix w = rows_of(weight(of + ".query"), h, heads_);
      return [w, sentence](size_t t, const Vector&, const Vector&) {
        return reference::location_based_scores(sentence.query.row(t), w, sentence.keys.rows);
      };
    }
    if (name == "concat" || name.starts_with("additive") || name.starts_with("location"))
      return additive_scores(sentence, h, of);
    if (name == "graph_of_nodes") {
      const Vector a1 = part(of + ".of_query", h), a2 = part(of + ".of_key", h);
      return pairwise(reference::head_of(sentence.query, h, heads_),
                      reference::head_of(sentence.keys, h, heads_),
                      [a1, a2](const Vector& q, const Vector& k) {
                        return reference::graph_score_of_nodes(q, k, a1, a2);
                      });
    }
    if (name == "graph") {
      const Matrix w = rows_of(weight(of + ".node"), h, heads_);
      const Vector a1 = part(of + ".of_query", h), a2 = part(of + ".of_key", h);
      return pairwise(sentence.query, sentence.keys, [w, a1, a2](const Vector& q, const Vector& k) {
        return reference::graph_score(q, k, w, a1, a2);
      });
    }
    if (name == "general") {
      const Matrix u = rows_of(weight(of + ".key"), h, heads_);
      return pairwise(
          reference::head_of(sentence.query, h, heads_), sentence.keys,
          [u](const Vector& q, const Vector& k) { return reference::general_score(q, k, u); });
    }
    const Matrix q = reference::head_of(projected(of + ".query", sentence.query), h, heads_),
                 k = shared(projected(of + ".key", sentence.keys), h);
    const auto normed = [&](const Matrix& x, const std::string& norm) {
      const Vector gain = vector(of + "." + norm + ".weight");
      return reference::each_row(x,
                                 [&](const Vector& row) { return reference::rms_norm(row, gain); });
    };
    if (name == "dot") return pairwise(q, k, reference::dot_score);
    if (name == "scaled_dot") return pairwise(q, k, reference::scaled_dot_score);
    if (name == "scaled_dot_rms")
      return pairwise(normed(q, "query_norm"), normed(k, "key_norm"), reference::scaled_dot_score);
    if (name == "scaled_dot_l2") {
      const double g = vector(of + ".gain").at(0);
      return pairwise(
          q, k, [g](const Vector& a, const Vector& b) { return reference::l2_score(a, b, g); });
    }
    if (name == "relative")
      return of_matrix(reference::relative_scores(q, k, matrix(of + ".table")));
    if (name == "rotary")
      return of_matrix(reference::rotary_scores(q, k, reference::rotary_angles(q.columns)));
    if (name == "rotary_yarn_rms")
      return of_matrix(
          reference::rotary_scores(times(normed(q, "query_norm"), reference::yarn_length(4)),
                                   times(normed(k, "key_norm"), reference::yarn_length(4)),
                                   reference::yarn_angles(q.columns, 4, 300, 20)));
    if (name != "cosine") throw_no_reference(name);
    const double beta = std::log(1 + std::exp(vector(of + ".gain").at(h)));
    return pairwise(q, k, [beta](const Vector& a, const Vector& b) {
      return reference::cosine_score(a, b, beta);
    });
  }

  // Marian's rnn/attention.h: vᵀ tanh(LN(W q) + LN(U k) + b), LN over all heads.
  ScoreOfHead layer_norm_scores(const Sentence& sentence, size_t h, const std::string& of) const {
    const Matrix w = weight(of + ".query"), u = weight(of + ".key");
    const Vector b = bias(of + ".query"), of_query = vector(of + ".query_gain"),
                 of_key = vector(of + ".key_gain"), v = part(of + ".v", h);
    const size_t heads = heads_;
    return pairwise(sentence.query, sentence.keys, [=](const Vector& q, const Vector& k) {
      Vector x = reference::sum(reference::layer_norm(reference::product(w, q), of_query, {}, 1e-9),
                                reference::layer_norm(reference::product(u, k), of_key, {}, 1e-9));
      x = part_of(reference::sum(x, b), h, heads);
      for (double& one : x) one = std::tanh(one);
      return reference::dot(v, x);
    });
  }

  ScoreOfHead additive_scores(const Sentence& sentence, size_t h, const std::string& of) const {
    if (!parameters_.contains(of + ".v")) return {};
    const Matrix w = rows_of(weight(of + ".query"), h, heads_),
                 u = rows_of(weight(of + ".key"), h, heads_);
    Vector v = part(of + ".v", h);
    if (case_.score == "additive_layer_norm") return layer_norm_scores(sentence, h, of);
    if (case_.score == "additive_normalized")
      v = reference::normalized_energy(v, vector(of + ".gain").at(h));
    if (case_.score == "concat") {
      const Matrix both = joined_columns(w, u);
      return pairwise(sentence.query, sentence.keys, [both, v](const Vector& q, const Vector& k) {
        return reference::concat_score(q, k, both, v);
      });
    }
    const Vector b = part_of(bias(of + ".query"), h, heads_);
    if (case_.score.starts_with("additive")) {
      return pairwise(sentence.query, sentence.keys, [=](const Vector& q, const Vector& k) {
        return reference::additive_score(q, k, w, u, b, v);
      });
    }
    if (case_.score == "location_gru_coverage") return gru_coverage_scores(sentence, h, of);
    return [=, this](size_t t, const Vector& previous, const Vector& total) {
      Vector e;
      for (size_t s = 0; s < sentence.keys.rows; ++s) {
        Vector extra(v.size(), 0.0);
        if (parameters_.contains(of + ".filters")) {
          const Matrix f = reference::convolve_weights(previous, matrix(of + ".filters"));
          const Matrix map = rows_of(matrix(of + ".convolved"), h, heads_);
          extra = reference::sum(extra, reference::product(map, f.row(s)));
        }
        if (parameters_.contains(of + ".coverage")) {
          const Vector w_c = part_of(vector(of + ".coverage"), h, heads_);
          double covered = total[s];
          if (parameters_.contains(of + ".fertility.weight")) {
            const Vector u_f = weight(of + ".fertility").row(0);
            covered *= reference::inverse_fertility(sentence.keys.row(s), u_f, 2);
          }
          extra = reference::sum(extra, reference::coverage_part(w_c, covered));
        }
        e.push_back(reference::location_score(sentence.query.row(t), sentence.keys.row(s), w, u, b,
                                              v, extra));
      }
      return e;
    };
  }

  // The coverage of each key is carried from query to query.
  ScoreOfHead gru_coverage_scores(const Sentence& sentence, size_t h, const std::string& of) const {
    const reference::CoverageGates gates{.of_weight = vector(of + ".gru_weight"),
                                         .of_key = weight(of + ".gru_key"),
                                         .of_query = weight(of + ".gru_query"),
                                         .bias = bias(of + ".gru_query"),
                                         .of_coverage = weight(of + ".gru_hidden"),
                                         .coverage_bias = bias(of + ".gru_hidden")};
    const Matrix map = rows_of(matrix(of + ".coverage"), h, heads_);
    const auto covered =
        std::make_shared<std::vector<Vector>>(sentence.keys.rows, Vector(map.columns, 0.0));
    return [=, this](size_t t, const Vector& previous, const Vector&) {
      Vector e;
      for (size_t s = 0; s < sentence.keys.rows; ++s) {
        const Vector k = sentence.keys.row(s);
        Vector& c = (*covered)[s];
        if (t > 0 && s < sentence.lengths[t - 1])
          c = reference::gru_coverage(gates, previous[s], k, sentence.query.row(t - 1), c);
        e.push_back(reference::location_score(
            sentence.query.row(t), k, rows_of(weight(of + ".query"), h, heads_),
            rows_of(weight(of + ".key"), h, heads_), part_of(bias(of + ".query"), h, heads_),
            part_of(vector(of + ".v"), h, heads_), reference::product(map, c)));
      }
      return e;
    };
  }

  ScoreOfHead multi_dim_scores(const Sentence& sentence, size_t feature,
                               const std::string& of) const {
    const Matrix w1 = weight(of + ".key"), w2 = weight(of + ".query");
    const Vector b1 = bias(of + ".query");
    if (case_.score == "multi_dim_light") {
      return pairwise(sentence.query, sentence.keys, [=](const Vector& q, const Vector& k) {
        return reference::multi_dim_light_score(q, k, w1, w2, b1).at(feature);
      });
    }
    const Matrix outer = weight(of + ".output");
    const Vector b = bias(of + ".output");
    return pairwise(sentence.query, sentence.keys, [=](const Vector& q, const Vector& k) {
      return reference::multi_dim_score(q, k, w1, w2, b1, outer, b).at(feature);
    });
  }

  // Choices of the sampler among the positions of the sentence, which are its queries.
  reference::Choices chosen(const Sentence& sentence, const std::string& sampler) const {
    reference::Readable readable;
    for (size_t t = 0; t < sentence.query.rows; ++t) readable.push_back(t < sentence.lengths[t]);
    const std::string name = "term_0." + sampler;
    return reference::likely_choices(
        reference::probabilities(sentence.query, readable,
                                 {.inner = weight(name + ".hidden"),
                                  .inner_bias = bias(name + ".hidden"),
                                  .outer = weight(name + ".score").row(0),
                                  .outer_bias = vector(name + ".bias").at(0)}));
  }

  Vector by_chunks(const Sentence& sentence, size_t t, const Vector& words) const {
    std::vector<size_t> chunk;
    for (size_t s = 0; s < words.size(); ++s) chunk.push_back(chunk_of(s));
    const Matrix states = matrix_of(chunk_states());
    std::vector<bool> present(states.rows, false);
    for (size_t s = 0; s < words.size(); ++s)
      if (words[s] > 0) present[chunk[s]] = true;
    const bool scales = case_.term == "chunks_scale";
    const Vector of_chunks = reference::chunk_weights(
        sentence.query.row(t),
        scales ? states : reference::chunk_contexts(words, sentence.values, chunk, states.rows),
        present, weight("term_0.query"), bias("term_0.query"),
        weight(scales ? "term_0.chunk" : "term_0.context"), weight("term_0.score").row(0));
    return scales ? reference::scaled_by_chunks(words, of_chunks, chunk)
                  : reference::attended_by_chunks(words, of_chunks, chunk);
  }

  // Terms of which weights() has the reference, and one that changes no weight.
  static bool is_in_weights(const std::string& term) {
    return term.starts_with("chunks") || term == "test_fading" || term == "test_squaring" ||
           term == "test_costly" || term == "talking_heads";
  }

  TermOfHead term(const Sentence& sentence, size_t h) const {
    const size_t queries = sentence.query.rows, keys = sentence.keys.rows;
    TermOfHead term{everything(queries, keys), Matrix(queries, keys),
                    Matrix(queries, keys, Vector(queries * keys, 1.0))};
    const std::string& name = case_.term;
    if (name == "window_monotonic") {
      term.mask = reference::monotonic_window(sentence.lengths, keys, 1);
    } else if (name == "window_predictive") {
      const auto window =
          reference::predictive_window(sentence.query, weight("term_0.hidden"),
                                       weight("term_0.v").row(h), sentence.lengths, keys, 2);
      term.mask = window.mask;
      term.factor = window.factor;
    } else if (name == "gaussian") {
      term.bias = reference::gaussian_bias(sentence.query, weight("term_0.hidden"),
                                           weight("term_0.place").row(h),
                                           weight("term_0.width").row(h), sentence.lengths, keys);
    } else if (name == "directional_forward") {
      term.mask = reference::forward_mask(queries, keys);
    } else if (name == "directional_backward") {
      term.mask = reference::backward_mask(queries, keys);
    } else if (name == "causal") {
      term.mask = reference::causal_mask(queries, keys);
    } else if (name == "wait_k") {
      term.mask = reference::wait_k_mask(queries, keys, 2, 0);
    } else if (name == "wait_k_catch_up") {
      term.mask = reference::wait_k_mask(queries, keys, 1, 0.5);
    } else if (name == "distance_fixed") {
      term.bias = reference::distance_penalty(queries, keys, 0.7);
    } else if (name == "distance_learned") {
      term.bias = reference::distance_penalty(queries, keys, vector("term_0.gain").at(0));
    } else if (name == "local") {
      term.mask = reference::local_mask(queries, keys, 1);
    } else if (name == "atrous") {
      term.mask = reference::atrous_mask(queries, keys, 2);
    } else if (name == "sparse") {
      term.mask = reference::sparse_mask(queries, keys, 3);
    } else if (name == "distance_bias") {
      Vector d;
      const Matrix table = matrix("term_0.bias");
      for (size_t i = 0; i < table.rows; ++i) d.push_back(table(i, h));
      term.bias = reference::distance_bias(queries, keys, d);
    } else if (name == "bucket_bias") {
      Vector b;
      const Matrix table = matrix("term_0.bias");
      for (size_t i = 0; i < table.rows; ++i) b.push_back(table(i, h));
      term.bias = reference::bucket_bias(queries, keys, !case_.own_past(), 4, b);
    } else if (name == "alibi") {
      term.bias = reference::alibi_bias(queries, keys, h, heads_);
    } else if (name.starts_with("edges")) {
      reference::Edges edges;
      for (size_t i = 0; i < queries; ++i) {
        for (size_t j = 0; j < keys; ++j) {
          if (has_edge(static_cast<int64_t>(i), static_cast<int64_t>(j))) edges.emplace_back(i, j);
        }
      }
      term.mask = reference::edge_mask(queries, keys, edges, name == "edges");
    } else if (name == "reinforced") {
      reference::Choices dependents = chosen(sentence, "dependents");
      dependents.resize(keys, false);
      term.mask = reference::picked_mask(chosen(sentence, "heads"), dependents);
    } else if (name == "test_near") {
      term.mask = reference::local_mask(queries, keys, 1);
    } else if (name != "" && !is_in_weights(name)) {
      throw_no_reference(name);
    }
    return term;
  }

  Case case_;
  size_t heads_, shared_heads_;
  std::map<std::string, Tensor> parameters_;
};

}  // namespace heed
